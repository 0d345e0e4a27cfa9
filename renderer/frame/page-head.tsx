import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import type { Screen } from './frame.ts';

interface PageHeadProps {
  readonly screen: Exclude<Screen, 'sale'>;
  /** Buttons for the whole page. */
  readonly children?: ComponentChildren;
}

/** The head of every screen but the sale: the way back, the title, and buttons for the page. */
export function PageHead({ screen, children }: PageHeadProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const title = useRef<HTMLHeadingElement>(null);
  // The focus goes to the title, so that keyboard and screen reader begin at the top.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <header class="page-head row wrap">
      <button
        type="button"
        class="button button-outline button-icon"
        aria-label={words.frame.back}
        title={words.frame.back}
        onClick={() => frame.show('sale')}
      >
        <Icon name="arrow-left" mirrors />
      </button>
      <h1 class="page-title" tabIndex={-1} ref={title}>
        {words.screens[screen]}
      </h1>
      <div class="page-actions row wrap gap-2">{children}</div>
    </header>
  );
}
