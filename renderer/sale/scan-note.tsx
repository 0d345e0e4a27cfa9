import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';

/** A card was scanned while a dialog was open: it waits. */
export function ScanNote({ onSwitch }: { readonly onSwitch?: () => void }) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  if (sale.waitingScan.value === null) return null;
  return (
    <div class="notice tone-info entry-note" role="status">
      <Icon name="scan-line" />
      <span>{words.scanWaits}</span>
      {onSwitch !== undefined && (
        <button type="button" class="button button-ghost" onClick={onSwitch}>
          {words.scanSwitch}
        </button>
      )}
    </div>
  );
}
