import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { PassedNote } from './outcome/passed-note.tsx';

interface ScanNoteProps {
  /** Whose sale it is, where there is a name. */
  readonly who?: string | null;
  readonly onSwitch?: () => void;
}

/** A card was scanned while something was entered: it waits. Else what is still to be said of the customer before. */
export function ScanNote({ who = null, onSwitch }: ScanNoteProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  if (sale.waitingScan.value === null) return <PassedNote />;
  return (
    <div class="notice tone-info entry-note" role="status">
      <Icon name="scan-line" />
      <span>{who === null ? words.scanWaits : words.scanWaitsFor(who)}</span>
      {onSwitch !== undefined && (
        <button type="button" class="button button-ghost" aria-label={words.scanSwitchTo} onClick={onSwitch}>
          {words.scanSwitch}
        </button>
      )}
    </div>
  );
}
