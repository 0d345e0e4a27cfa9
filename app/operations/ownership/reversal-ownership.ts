import { fieldOf, isOther } from '../../../shared/contract/differing-fields.ts';
import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { CallOutcome, Unknown } from '../../client/outcome.ts';
import { callOfPath } from '../../line/call-of-path.ts';
import type { Line } from '../../line/line.ts';
import { originalOf } from '../requests/named-original.ts';
import type { KnownOriginals } from './known-originals.ts';
import { differingFromRow, type ToldRecord } from './same-record.ts';
import type { OwnedRow, Verdict } from './verdict.ts';

/** Where the original of a reversal is read. */
export interface OriginalSources {
  /** Asked beside the call that it is judged by. */
  readonly line: Line;
  readonly knownOriginals: KnownOriginals;
}

/**
 * Whether a reversal in the service's books is a row's own. It names its original by nothing that the till knows, and
 * another till may have used the same `reversal_ref` for another one: ours is one whose original shows as reversed, for
 * the same customer and card (decisions "Transactions"). A service may show that later than the reversal's success, so that
 * an original of that card which still stands proves nothing.
 */
export async function isOfOurReversal(row: OwnedRow, record: ToldRecord, sources: OriginalSources): Promise<Verdict> {
  const originals = await originalsOf(row, sources);
  if (originals === 'erased') return { kind: 'ours' };
  if (originals.kind === 'unknown') return { ...originals, recorded: 'maybe' };
  const records = originals.kind === 'done' ? originals.answer : [];
  const agreeing = records.filter((original) => isOfSameCard(original, record));
  // What failed has taken nothing back, whoever wanted it.
  const isSettled = record.status === 'failed' || agreeing.some(({ status }) => status === 'reversed');
  if (agreeing.length === 0) return { kind: 'anothers', fields: ['external_ref'] };
  if (isSettled) return { kind: 'ours' };
  return { kind: record.status === 'success' ? 'standing' : 'undecided' };
}

/** What the service's books show of what a reversal takes back. `unread`: they could not be read. */
export type OriginalThere = 'reversed' | 'stands' | 'unread';

/** By the books, whoever has taken it back. */
export async function originalThere(
  row: Pick<OwnedRow, 'rowId' | 'path' | 'body'>,
  sources: OriginalSources,
): Promise<OriginalThere> {
  const originals = await originalsOf(row, sources);
  if (originals === 'erased' || originals.kind !== 'done') return 'unread';
  return originals.answer.some(({ status }) => status === 'reversed') ? 'reversed' : 'stands';
}

/**
 * Whether the answer to a reversal names what the reversal takes back. The client compares that where the till knows the
 * original's id, by its own row or by the path; of what was passed on by its reference the books tell.
 */
export async function isOfItsOriginal(row: OwnedRow, answer: unknown, sources: OriginalSources): Promise<Verdict> {
  const named = sources.knownOriginals.originalOfReversal(row.rowId) === null ? originalOf(row.body) : null;
  if (named === null) return { kind: 'ours' };
  const outcome = await sources.line.unjudged.lookUpListed(named.external_ref);
  if (outcome.kind === 'unknown') return { ...outcome, recorded: 'maybe' };
  const records = outcome.kind === 'done' ? outcome.answer.data : [];
  const toldId = fieldOf(answer, 'reverses_transaction_id');
  const isNamed = records.some(({ intent, transaction_id }) => intent === named.intent && transaction_id === toldId);
  return isNamed ? { kind: 'ours' } : { kind: 'anothers', fields: ['reverses_transaction_id'] };
}

/**
 * Whether a reversal takes back the till's own operation under the API key of this run. Its original may have been sent
 * under another key, which may be another source: the same reference is then somebody else's operation. The service's id of
 * the original tells: a rotated key of the same partner shows it (spec "Authentication", 4).
 */
export async function isOriginalUnderKey(
  row: Pick<OwnedRow, 'rowId' | 'intent'>,
  keyFingerprint: string,
  { line, knownOriginals }: OriginalSources,
): Promise<boolean | Unknown> {
  const original = row.intent === 'reverse' ? knownOriginals.sentOriginal(row.rowId) : null;
  if (original === null || original.keyFingerprint === null || original.keyFingerprint === keyFingerprint) return true;
  const outcome = await line.unjudged.lookUpListed(original.externalRef);
  if (outcome.kind === 'unknown') return { ...outcome, recorded: 'no' };
  const records = outcome.kind === 'done' ? outcome.answer.data : [];
  return records.some(
    ({ intent, transaction_id }) => intent === original.intent && transaction_id === original.serviceTransactionId,
  );
}

/** What the service holds of what a reversal was to take back. */
async function originalsOf(
  row: Pick<OwnedRow, 'rowId' | 'path' | 'body'>,
  sources: OriginalSources,
): Promise<CallOutcome<readonly Transaction[]> | 'erased'> {
  const { transaction_id: id } = callOfPath(row.path).params;
  if (id !== undefined) {
    const outcome = await sources.line.unjudged.transaction(id);
    return outcome.kind === 'done' ? { ...outcome, answer: [outcome.answer] } : outcome;
  }
  const named = originalOf(row.body);
  if (named === null) return 'erased';
  const outcome = await sources.line.unjudged.lookUp(named.external_ref);
  if (outcome.kind !== 'done') return outcome;
  const ours = sources.knownOriginals.originalOfReversal(row.rowId);
  const answer = outcome.answer.data.filter(
    (record) => record.intent === named.intent && (ours === null || differingFromRow(ours, record).length === 0),
  );
  return { ...outcome, answer };
}

/** A field that a record does not tell agrees with anything. */
function isOfSameCard(original: Transaction, record: ToldRecord): boolean {
  return (
    !isOther(original.customer_id, record.customer_id) &&
    !isOther(original.card_id, record.card_id) &&
    !isOther(original.transaction_id, fieldOf(record, 'reverses_transaction_id'))
  );
}
