import { loadLater } from '../../components/load-later.tsx';
import { useModel } from '../../model.ts';
import { EntryFailure } from './entry-failure.tsx';
import type { Entry } from './entry-flow.ts';
import { entryWho } from './entry-words.ts';
import { ReceiptNote } from './receipt-note.tsx';

const ScanNote = loadLater(
  () => import('../scan-note.tsx'),
  (module) => module.ScanNote,
);

/** Notes about the entry: a card that waits, and what is wrong. */
export function EntryNotes({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  return (
    <>
      {(sale.waitingScan.value ?? sale.passed.value) !== null && (
        <ScanNote who={entryWho(entry, frame.words.value)} onSwitch={sale.cancel} />
      )}
      {entry.receiptProblem !== null && <ReceiptNote problem={entry.receiptProblem} />}
      {(entry.failure !== null || frame.link.value !== 'open') && <EntryFailure entry={entry} />}
    </>
  );
}
