import { Icon } from '../components/icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { useModel } from '../model.ts';

// By itself: a file that another one imports cannot be asked for again when it did not come.
const PassedNote = loadLater(
  () => import('./outcome/passed-note.tsx'),
  (module) => module.PassedNote,
  'past',
);

interface ScanNoteProps {
  /** The customer of the sale, when the name is known. */
  readonly who?: string | null;
  readonly onSwitch?: () => void;
}

/** Says that a scanned card waits for the entry's end. Otherwise shows the news of the last customer. */
export function ScanNote({ who = null, onSwitch }: ScanNoteProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  const noName = sale.entry.value === null ? words.cardWaits : words.scanWaits;
  if (sale.waitingScan.value === null) return <PassedNote who={who} />;
  return (
    <div class="notice tone-info entry-note" role="status">
      <Icon name="scan-line" />
      <span>{who === null ? noName : words.scanWaitsFor(who)}</span>
      {onSwitch !== undefined && (
        <button type="button" class="button button-ghost" aria-label={words.scanSwitchTo} onClick={onSwitch}>
          {words.scanSwitch}
        </button>
      )}
    </div>
  );
}
