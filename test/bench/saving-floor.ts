import { FilesInPlace } from '../../app/store/database/files-in-place.ts';
import { OpenMarker } from '../../app/store/files/open-marker.ts';
import { openPlainInsert, type PlainSale } from './plain-insert.ts';

/**
 * The least work of a program that saves sales for callers that come at any time, answers each of them, and may lose none.
 * It makes the whole row, with what the caller has left out, seals and inserts it. It also does this:
 *
 * - It keeps the limits of a sale, of an hour and of the queue (decision 0028).
 * - It looks whether a reference that the caller made up belongs to another sale (decision 0024).
 * - It waits for the events that are already here, so that sales that come together share a commit.
 * - It looks before a commit whether the database's files are still in their place, and notes after it how much of the log
 *   is on the disk. A sale in a deleted file, or in a log that was cut, is lost (decision 0013).
 *
 * It keeps no settings, replaces no refused sale, compares no sale with an earlier one, tells nobody of changes, and stops at
 * the first fault.
 */
interface SavingFloor {
  /** Resolves when it is on the disk. */
  save(sale: PlainSale): Promise<void>;
  close(): void;
}

const mostOfSale = 100_000_000;
const mostOfHour = 100_000_000_000;
const mostWaiting = 1_000_000;
const hourMs = 3_600_000;

/** Opens a database like the agent's own. */
export function openSavingFloor(path: string): SavingFloor {
  const plain = openPlainInsert(path);
  const marker = new OpenMarker(path, { generation: 1, deviceId: 'floor' });
  const files = new FilesInPlace(path);
  let waiting: { readonly sale: PlainSale; readonly saved: () => void }[] = [];
  let waitingRows = 0;
  let ofHour = 0;
  let hourEndsAtMs = 0;

  function take(amount: number): void {
    const nowMs = performance.now();
    if (nowMs >= hourEndsAtMs) {
      ofHour = 0;
      hourEndsAtMs = nowMs + hourMs;
    }
    ofHour += amount;
    if (amount > mostOfSale || ofHour > mostOfHour) throw new Error('Above a limit');
  }

  /** Whether a reference that the caller made up belongs to another sale. */
  function isKnown({ request: { external_ref: reference } }: PlainSale): boolean {
    return reference !== undefined && plain.hasReference(reference);
  }

  function commit(): void {
    const group = waiting;
    waiting = [];
    if (files.state(marker) !== 'in_place') throw new Error('The files of the database are gone');
    if (group.some(({ sale }) => isKnown(sale))) throw new Error('A reference came twice');
    plain.save(group.map(({ sale }) => sale));
    marker.note();
    for (const { saved } of group) saved();
  }

  return {
    save(sale) {
      take(sale.request.amount_minor ?? 0);
      waitingRows += 1;
      if (waitingRows > mostWaiting) throw new Error('The queue is full');
      return new Promise((resolve) => {
        waiting.push({ sale, saved: resolve });
        if (waiting.length === 1) setImmediate(commit);
      });
    },
    close() {
      plain.close();
      files.close();
      marker.close({ generation: null });
    },
  };
}
