import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The label after the text was copied. */
  readonly doneLabel: string;
  /** Names what is copied, when several such buttons are side by side. */
  readonly describedAs?: string;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
}

/**
 * Copies a text, and selects the neighbour that is marked `data-copy`. Without a clipboard the selected text can be
 * copied by hand.
 */
export function CopyButton({ text, label, doneLabel, describedAs, isFirst = false }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const copy = (): void => {
    const source = button.current?.parentElement?.querySelector('[data-copy]');
    if (source != null) window.getSelection()?.selectAllChildren(source);
    // The browser gives no clipboard to a page from another machine.
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
