import type { endpoints } from '../../shared/contract/endpoints.ts';
import { isOnItsWay, type Transaction } from '../../shared/contract/transaction.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { intentInBooks } from '../../shared/machines/operation-intents.ts';
import type { CallOutcome } from '../client/outcome.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { earnsOnly } from '../customers/earns-only.ts';
import { keptCustomer } from '../customers/kept-customer.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Reply } from './answers.ts';
import { type Failure, jsonAnswer, readFailure, refusedAnswer } from './answers.ts';
import type { EndpointCall } from './endpoint-route.ts';
import { joined, whose } from './joined-record.ts';
import { hasTaken, isHidden, sees, unknownTransaction } from './reach.ts';
import { firstOf, namedBy, standingView } from './standing-view.ts';
import { statusOf, toldRecord, transactionView } from './transaction-view.ts';

/** The service's id of an operation, once known. `transaction_id` in a body is always the agent's. */
export function serviceIdHeader(operation: Operation): Readonly<Record<string, string>> {
  const id = operation.serviceTransactionId;
  return id === null ? {} : { 'x-service-transaction-id': id };
}

/** The customer as the service has them. When it cannot be asked, as they were seen last. */
export async function answerIdentify(core: AgentCore, call: EndpointCall<typeof endpoints.identify>): Promise<Reply> {
  const outcome = await core.identify(call.body);
  return outcome.kind === 'unknown' ? identifyLate(core, call, readFailure(outcome)) : passedOn(outcome);
}

/** The answer when the service has not answered in time. @param failure for a customer who was not seen here before */
export function identifyLate(
  core: Parameters<typeof keptCustomer>[0],
  call: EndpointCall<typeof endpoints.identify>,
  failure: Failure,
): Reply {
  const kept = keptCustomer(core, call.body);
  return kept === null ? failure : jsonAnswer(200, earnsOnly(kept));
}

/** How long an answer about a till's own record waits for the service's newer facts. */
const newerWordMs = 1_000;

/** Stand in the place of an id in the paths of other calls: no transaction has one of them as its id. */
const callNames: ReadonlySet<string> = new Set(['earn', 'redeem', 'reverse']);

/** Answers from the row when the operation is this till's, by either of its ids, else from the service. */
export async function answerTransaction(
  core: AgentCore,
  call: EndpointCall<typeof endpoints.transaction>,
): Promise<Reply> {
  const id = call.params.transaction_id;
  const operation = namedBy(core, id);
  if (operation !== null && !sees(core, call.caller, operation)) return unknownTransaction;
  const view = operation === null ? null : standingView(core, operation);
  if (operation !== null && view !== null) {
    const { standing, own } = view;
    const told = await withNewerWord(core, standing, own);
    noteEnd(core, call, { operation, told });
    return jsonAnswer(200, told, serviceIdHeader(standing));
  }
  if (id.startsWith('txn_local_') || callNames.has(id)) return unknownTransaction;
  const outcome = await core.readTransaction(id);
  if (outcome.kind === 'done' && isHidden(core, call.caller, outcome.answer)) return unknownTransaction;
  if (outcome.kind !== 'done') return passedOn(outcome);
  const { answer } = outcome;
  return passedOn({ ...outcome, answer: asToldHere(core, answer, await oursOf(core, answer)) });
}

/** Its program has asked what became of its write, and hears it: it goes on asking no longer. */
function noteEnd(
  core: Pick<AgentCore, 'heardTheEnd'>,
  { caller }: Pick<EndpointCall<typeof endpoints.transaction>, 'caller'>,
  { operation, told }: { readonly operation: Operation; readonly told: Pick<Transaction, 'status'> },
): void {
  if (!isOnItsWay(told.status) && hasTaken(caller, operation)) core.heardTheEnd(operation.rowId);
}

/**
 * Adds the service's newer facts: an operation may have been reversed at another till, or done without an answer. So
 * its id and its reference give the same answer.
 */
async function withNewerWord(core: AgentCore, operation: Operation, own: Transaction): Promise<Transaction> {
  const id = operation.serviceTransactionId;
  if (id === null && own.status === 'pending' && operation.maybeSent) {
    const outcome = await core.readTransactionsByReference(operation.externalRef, { patienceMs: newerWordMs });
    if (outcome.kind !== 'done') return own;
    const records = outcome.answer.data;
    return (await joinedWith(core, { operation, own, records, patienceMs: newerWordMs })).view;
  }
  if (id === null || own.status !== 'success') return own;
  const outcome = await core.readTransaction(id, { patienceMs: newerWordMs });
  return outcome.kind === 'done'
    ? (await joinedWith(core, { operation, own, records: [outcome.answer], patienceMs: newerWordMs })).view
    : own;
}

/**
 * Our record with the service's facts, as far as one of its records is proven to be ours.
 *
 * @returns `others` without what may be ours: one operation is never told twice
 */
async function joinedWith(
  core: AgentCore,
  {
    operation,
    own,
    records,
    ...options
  }: {
    readonly operation: Operation;
    readonly own: Transaction;
    readonly records: readonly Transaction[];
    readonly patienceMs?: number;
  },
): Promise<{ readonly view: Transaction; readonly others: readonly Transaction[] }> {
  const told = await Promise.all(
    records.map(async (record) => ({ record, whose: await whose(core, operation, record, options) })),
  );
  const ours = told.find((one) => one.whose === 'ours');
  return {
    view: ours === undefined ? own : joined(operation, own, ours.record),
    others: told.filter((one) => one.whose === 'anothers').map(({ record }) => record),
  };
}

/** All records of a reference, this till's and the service's, each once. Offline only this till's. */
export async function answerByReference(
  core: AgentCore,
  call: EndpointCall<typeof endpoints.transactionsByReference>,
): Promise<Reply> {
  const outcome = await core.readTransactionsByReference(call.query.external_ref);
  const operations = seenUnder(core, call);
  switch (outcome.kind) {
    case 'done': {
      let others: readonly Transaction[] = outcome.answer.data.filter((record) => !isHidden(core, call.caller, record));
      const ours: Transaction[] = [];
      for (const operation of operations) {
        const kept = standingView(core, operation);
        if (kept === null) continue;
        const { standing, own } = kept;
        const told = await joinedWith(core, { operation, own, records: others });
        others = told.others;
        // What stands for it has a record under a number of its own.
        const view = standing.rowId === operation.rowId ? told.view : await withNewerWord(core, standing, own);
        noteEnd(core, call, { operation, told: view });
        ours.push(view);
      }
      const rest = await Promise.all(
        others.map(async (theirs) => asToldHere(core, theirs, await oursOf(core, theirs, operations))),
      );
      return jsonAnswer(200, { data: [...ours, ...rest] });
    }
    case 'refused':
      return byReferenceLate(core, call, refusedAnswer(outcome, outcome.facts.httpStatus));
    case 'unknown':
      return byReferenceLate(core, call, readFailure(outcome));
    default:
      return assertNever(outcome);
  }
}

/** The answer without the service's records: only this till's. @param nothing the answer when there are none */
export function byReferenceLate(
  core: Pick<AgentCore, 'operation' | 'operationsByReference' | 'standingFor' | 'heardTheEnd'>,
  call: EndpointCall<typeof endpoints.transactionsByReference>,
  nothing: Reply,
): Reply {
  const own = seenUnder(core, call).flatMap((operation) => {
    const told = standingView(core, operation)?.own ?? null;
    if (told !== null) noteEnd(core, call, { operation, told });
    return told ?? [];
  });
  return own.length > 0 ? jsonAnswer(200, { data: own }) : nothing;
}

/** This till's operations of a reference, as far as the caller sees them, each transaction once. */
function seenUnder(
  core: Pick<AgentCore, 'operation' | 'operationsByReference'>,
  { query, caller }: EndpointCall<typeof endpoints.transactionsByReference>,
): readonly Operation[] {
  const seen = core.operationsByReference(query.external_ref).filter((operation) => sees(core, caller, operation));
  return withoutReplaced(seen);
}

/**
 * A redemption and a commit are one transaction at the service, so a later request under their reference replaces a
 * failed one. Returns the one that is valid, else the newest.
 */
function withoutReplaced(operations: readonly Operation[]): readonly Operation[] {
  const spendings = operations.filter(({ intent }) => intentInBooks[intent] === 'redeem');
  const stands = (operation: Operation) => statusOf(operation) !== 'failed';
  const told = spendings.findLast(stands) ?? spendings.at(-1);
  return operations.filter((operation) => !spendings.includes(operation) || operation === told);
}

/**
 * The service's page, with the agent's own ids for this till's operations, so that an operation has the same id in
 * every answer. What other programs of this till took is left out, and the record of a sale that was sent under another
 * number and has another record there: it is one sale, and told once.
 */
export async function answerHistory(core: AgentCore, call: EndpointCall<typeof endpoints.history>): Promise<Reply> {
  const { cursor, limit } = call.query;
  const outcome = await core.readHistory(call.params.customer_id, { cursor, limit });
  if (outcome.kind !== 'done') return passedOn(outcome);
  const seen = outcome.answer.data.filter((record) => !isHidden(core, call.caller, record));
  const owned = await Promise.all(seen.map(async (record) => ({ record, ours: await oursOf(core, record) })));
  const data = owned
    .filter(({ ours }) => ours === null || !hasLaterRecord(core, ours))
    .map(({ record, ours }) => asToldHere(core, record, ours));
  return jsonAnswer(200, { ...outcome.answer, data });
}

function passedOn<Answer>(outcome: CallOutcome<Answer>): Reply {
  switch (outcome.kind) {
    case 'done':
      return jsonAnswer(200, outcome.answer);
    case 'refused':
      return refusedAnswer(outcome, outcome.facts.httpStatus);
    case 'unknown':
      return readFailure(outcome);
    default:
      return assertNever(outcome);
  }
}

/**
 * The operation of this till that a service's record is; null when it is none.
 *
 * @param isNotOf operations whose it is known not to be
 */
async function oursOf(
  core: AgentCore,
  record: Transaction,
  isNotOf: readonly Operation[] = [],
): Promise<Operation | null> {
  const byId = core.operationByTransactionId(record.transaction_id);
  const seen = new Set(isNotOf.map(({ rowId }) => rowId));
  for (const operation of [...(byId === null ? [] : [byId]), ...core.operationsByReference(record.external_ref)]) {
    if (seen.has(operation.rowId)) continue;
    seen.add(operation.rowId);
    if ((await whose(core, operation, record)) === 'ours') return operation;
  }
  return null;
}

/** Whether a person has sent it under another number, under which the service has a record, too. */
function hasLaterRecord(core: AgentCore, operation: Operation, later = core.standingFor(operation)): boolean {
  if (later.rowId === operation.rowId) return false;
  const before = later.replacesRowId === null ? null : core.operation(later.replacesRowId);
  return later.serviceTransactionId !== null || (before !== null && hasLaterRecord(core, operation, before));
}

/**
 * A service's record under the agent's own id when it is this till's. A sale that was sent under another number has the id
 * and the reference that its program knows, and tells what became of it there.
 */
function asToldHere(core: AgentCore, record: Transaction, ours: Operation | null): Transaction {
  if (ours === null) return toldRecord(record);
  const [first, standing] = [firstOf(core, ours), core.standingFor(ours)];
  if (first.rowId === standing.rowId) return { ...toldRecord(record), transaction_id: ours.transactionId };
  const now = standing.rowId === ours.rowId ? toldRecord(record) : (transactionView(standing) ?? record);
  return { ...now, transaction_id: first.transactionId, external_ref: first.externalRef };
}
