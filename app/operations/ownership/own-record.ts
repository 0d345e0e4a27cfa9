import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { Verdict } from './verdict.ts';

/** Which record of a list is a row's own, or why none is known to be. */
type OwnRecord =
  | { readonly kind: 'own'; readonly record: Transaction }
  | { readonly kind: 'absent' }
  | Exclude<Verdict, { readonly kind: 'ours' }>;

/**
 * A reference is unique for a source and an intent (spec "What the service does", 4), but the service may list the records
 * of other sources, too, in any order.
 *
 * @param records of the row's intent
 * @param judge tells whose one of them is
 * @param namedId the record that the service has named as its answer; it is judged first
 */
export async function ownAmong(
  records: readonly Transaction[],
  judge: (record: Transaction) => Promise<Verdict>,
  namedId: string | null = null,
): Promise<OwnRecord> {
  const isNamed = ({ transaction_id }: Transaction) => transaction_id === namedId;
  let found: OwnRecord = { kind: 'absent' };
  for (const record of records.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))) {
    const verdict = await judge(record);
    if (verdict.kind === 'ours') return { kind: 'own', record };
    if (strength[verdict.kind] > strength[found.kind]) found = verdict;
  }
  return found;
}

/** What leaves it open whether one is the row's says more than what is proven to be another's. */
const strength = { absent: 0, anothers: 1, standing: 2, undecided: 3, unknown: 4, own: 5 } as const satisfies Record<
  OwnRecord['kind'],
  number
>;
