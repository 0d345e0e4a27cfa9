import { useState } from 'preact/hooks';
import { errorCodes } from '../../shared/contract/error-facts.ts';
import { Choice, Failure, LabDialog } from './lab-parts.tsx';
import { useLab } from './use-lab.ts';

interface FailDialogProps {
  readonly onClose: () => void;
  /** @returns null when it was refused */
  readonly onChoose: (code: string) => Promise<unknown>;
}

/** Chooses the reason with which a pending sale fails. */
export function FailDialog({ onClose, onChoose }: FailDialogProps) {
  const { words } = useLab();
  const [code, setCode] = useState('CARD_NOT_ELIGIBLE');
  return (
    <LabDialog
      id="lab-fail"
      icon="triangle-alert"
      title={words.clock.failTitle}
      onClose={onClose}
      confirm={{
        label: words.clock.failButton,
        run: () =>
          void onChoose(code).then((answer) => {
            if (answer !== null) onClose();
          }),
      }}
    >
      <p class="quiet">{words.clock.failNote}</p>
      <Choice
        id="lab-fail-code"
        label={words.clock.failCode}
        value={code}
        choices={errorCodes.map((name) => ({ value: name, label: codeLabel(name, words.errorCodes) }))}
        onChoose={setCode}
      />
      <Failure />
    </LabDialog>
  );
}

/** The reason in words, with the code that a program receives. */
export function codeLabel(code: string, names: Readonly<Record<string, string>>): string {
  return names[code] === undefined ? code : `${names[code]} (${code})`;
}
