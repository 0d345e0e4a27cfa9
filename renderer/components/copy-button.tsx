import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Once it is done. */
  readonly doneLabel: string;
  /** What is copied, where several such buttons stand side by side. */
  readonly describedAs?: string;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
}

/**
 * Copies a text. What beside the button is marked `data-copy` is marked as chosen too: where there is no clipboard it
 * can be copied by hand.
 */
export function CopyButton({ text, label, doneLabel, describedAs, isFirst = false }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const copy = (): void => {
    const source = button.current?.parentElement?.querySelector('[data-copy]');
    if (source != null) window.getSelection()?.selectAllChildren(source);
    // Missing where the page is not of this machine.
    const clipboard: Clipboard | undefined = window.navigator.clipboard;
    clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <button
      ref={button}
      type="button"
      class="button button-outline"
      aria-label={isCopied ? undefined : describedAs}
      data-first={isFirst ? '' : undefined}
      onClick={copy}
      onBlur={() => setIsCopied(false)}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span role="status">{isCopied ? doneLabel : label}</span>
    </button>
  );
}
