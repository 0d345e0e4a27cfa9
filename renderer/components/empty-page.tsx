import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyPageProps {
  readonly icon: IconName;
  readonly title: string;
  readonly next: string;
  readonly tone?: 'neutral' | 'success' | 'danger';
  /** Buttons that help. */
  readonly children?: ComponentChildren;
}

/** A page that is empty or could not be read. It says why, and what will appear here or what to do. */
export function EmptyPage({ icon, title, next, tone = 'neutral', children }: EmptyPageProps) {
  return (
    <div class="hollow hollow-page" role={tone === 'danger' ? 'alert' : undefined}>
      <span class={`tile tile-large tone-${tone}`}>
        <Icon name={icon} size={28} />
      </span>
      <strong>{title}</strong>
      <span>{next}</span>
      {children}
    </div>
  );
}

interface ReadFailedProps {
  readonly words: { readonly failedTitle: string; readonly again: string };
  /** Why, or what to do. */
  readonly next: string;
  readonly onAgain: () => void;
}

/** A page that could not be read, with a button that reads it again. */
export function ReadFailed({ words, next, onAgain }: ReadFailedProps) {
  return (
    <EmptyPage icon="triangle-alert" tone="danger" title={words.failedTitle} next={next}>
      <button type="button" class="button button-outline" onClick={onAgain}>
        <Icon name="rotate-ccw" />
        {words.again}
      </button>
    </EmptyPage>
  );
}
