import { databasePath } from '../../app/machine/data-files.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { openStore } from '../../app/store/store.ts';
import { newChange, newRow } from './core-rows.ts';

const customers = ['Fatima Al-Sabah', 'Yousef', 'Sara Ahmed', null, 'Abdullah bin Khalid Al-Mutairi'];

/**
 * Fills the sandbox's database in a data folder, while no agent runs on it, with sales of the last days: one in fifty
 * refused, one in a hundred undone, the others applied.
 */
export async function fillTill(
  dataDir: string,
  count: number,
  { untilMs, rowsPerDay = 1_000 }: { readonly untilMs: number; readonly rowsPerDay?: number },
): Promise<void> {
  const store = openStore(databasePath(dataDir, 'sandbox'), { random: seededRandom(1) });
  const atOnce = 5_000;
  for (let from = 1; from <= count; from += atOnce) {
    await store.writer.urgent(() => {
      const rowIds = Array.from({ length: Math.min(atOnce, count - from + 1) }, (_, index) => from + index);
      for (const rowId of rowIds) {
        const atMs = untilMs - ((count - rowId) * 86_400_000) / rowsPerDay;
        store.operations.insert(
          newRow(rowId, {
            externalRef: `main-till1-k7f3-${String(rowId).padStart(7, '0')}`,
            identifierValue: `LC-${1_000 + (rowId % 97)}`,
            customerName: customers[rowId % customers.length] ?? null,
            amountMinor: 500 + ((rowId * 7_919) % 90_000),
            occurredAtMs: Math.round(atMs),
            savedAtMs: Math.round(atMs),
            businessDate: new Date(atMs).toISOString().slice(0, 10),
          }),
        );
      }
      store.operations.mark(rowIds, { atMs: untilMs, keyFingerprint: 'k' });
      for (const rowId of rowIds) {
        const error = { code: 'CARD_NOT_ELIGIBLE', message: 'no', retryable: false, request_id: 'req_1' };
        if (rowId % 50 === 0) store.operations.change(newChange(rowId, 'refuse', { send: 1, error, cause: 'refused' }));
        else store.operations.change(newChange(rowId, 'apply', { send: 1 }));
        if (rowId % 100 === 1) store.operations.change(newChange(rowId, 'reverse', { send: 1 }));
      }
    });
  }
  store.close();
}
