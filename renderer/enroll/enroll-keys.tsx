import { useLayoutEffect, useState } from 'preact/hooks';
import { localeTable } from '../../shared/till/locales.ts';
import { TouchKeys } from '../components/touch-keys.tsx';
import { typeInto } from '../components/type-into.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

interface KeysProps {
  readonly isCode: boolean;
  readonly dialog: { readonly current: HTMLDialogElement | null };
}

/** The touch keys for the field with the focus: digits for a number, letters for a name. */
export function EnrollKeys({ isCode, dialog }: KeysProps) {
  const { frame } = useModel();
  const words = useWords('enroll');
  const [kind, setKind] = useState('tel');
  useLayoutEffect(() => {
    const root = dialog.current;
    const note = (): void => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement) setKind(field.inputMode);
    };
    note();
    root?.addEventListener('focusin', note);
    return () => root?.removeEventListener('focusin', note);
  }, [dialog]);
  const mode = !isCode && (kind === 'text' || kind === 'email') ? 'letters' : 'digits';
  const script = kind === 'text' ? localeTable[frame.locale.value].letters : 'latin';
  return (
    <div class="enroll-keys">
      <TouchKeys
        key={`${mode} ${script}`}
        label={words.keyboard}
        mode={mode}
        startsIn={script}
        capitals={kind === 'text' ? 'next' : 'none'}
        onKey={(key) => {
          const field = document.activeElement;
          if (field instanceof HTMLInputElement) typeInto(field, key);
        }}
      />
    </div>
  );
}
