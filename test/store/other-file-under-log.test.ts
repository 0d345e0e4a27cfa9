import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../app/store/store.ts';
import { newRow } from '../support/core-rows.ts';
import { kill } from '../support/lying-files.ts';
import { others, own, start, useTwoTills } from '../support/two-tills.ts';

useTwoTills();

const referenceOf = (number: number) => `R-${number}`;

/** Both tills number alike. @param till tells the operations of one from those of the other */
async function sell(store: Store, till: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const rowId = store.operations.takeRowId();
    const operationId = `${till}-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const row = newRow(rowId, { operationId, externalRef: referenceOf(number) });
    await store.writer.urgent(() => store.operations.insert(row));
  }
}

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('the database of another till under the present log, where both number alike', () => {
  it.each([
    { what: 'more often', otherOpens: 6 },
    { what: 'less often', otherOpens: 0 },
  ])('takes no own sale’s reference, though it was opened $what', async ({ otherOpens }) => {
    const other = start(others);
    await sell(other, 'OTHER', numbersFrom(1, 100));
    other.close();
    for (let again = 0; again < otherOpens; again += 1) start(others).close();

    for (let again = 0; again < 3; again += 1) start(own).close();
    const killed = start(own);
    await sell(killed, 'OWN', numbersFrom(1, 65));
    kill(killed, own);
    copyFileSync(others, own);

    const store = start(own);
    const tillUnder = (number: number) =>
      store.operations.operationsByReference(referenceOf(number)).map(({ operationId }) => operationId.split('-')[0]);
    expect(new Set(numbersFrom(1, 65).flatMap(tillUnder))).toEqual(new Set(['OWN']));
    expect(new Set(numbersFrom(66, 35).flatMap(tillUnder))).toEqual(new Set(['OTHER']));
    expect(store.recovery).toMatchObject({ why: 'damaged', unreadable: null });
    expect(store.recovery?.leftBehind).toHaveLength(65);
    store.close();
  });
});
