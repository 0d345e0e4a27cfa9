import type { AgentCore } from '../../../app/core/agent-core.ts';
import { demoSource } from '../../../app/service/fixtures.ts';
import type { Operation } from '../../../app/store/schema/operation.ts';
import type { Asked } from '../facts.ts';
import type { BridgeReply, Till } from '../world/till.ts';
import { otherPartner, type World } from '../world/world.ts';
import { type Books, type HeldTransaction, isSameValue, readBooks } from './books.ts';

/** What one till shows at the end. */
export interface ShownTill {
  readonly till: Till;
  readonly core: AgentCore;
  readonly operations: readonly Operation[];
  /** Rows that wait for a person. */
  readonly attention: ReadonlySet<number>;
  /** References that a person has seen to need attention, now or before. */
  readonly seenByPerson: ReadonlySet<string>;
  /** What its bridge tells of each reference. */
  readonly reads: ReadonlyMap<string, BridgeReply>;
}

/** All that the judge knows. */
export interface Evidence {
  readonly world: World;
  readonly books: Books;
  /** The balances that the cards began with. */
  readonly opening: Books;
  readonly shown: readonly ShownTill[];
}

const readWithinMs = 20_000;
const settleMs = 5_000;

export async function gather(world: World, opening: Books): Promise<Evidence> {
  const references = [...new Set(world.asked.map(({ ref }) => ref))];
  const asking = world.tills.map(async (till) => {
    const replies = references.map(
      async (ref) => [ref, await till.ask('GET', `/transactions?external_ref=${ref}`)] as const,
    );
    return new Map(await Promise.all(replies));
  });
  const all = Promise.all(asking);
  await world.scheduler.runUntilSettled(all, readWithinMs);
  // What a read has brought to light is written down a moment later.
  await world.scheduler.runUntil(world.scheduler.nowMs + settleMs);
  const reads = await all;
  const shown = world.tills.flatMap((till, index) => {
    const core = till.run?.core;
    return core === undefined ? [] : [shownBy(till, core, reads[index] ?? new Map())];
  });
  return { world, books: readBooks(world.service.snapshot()), opening, shown };
}

function shownBy(till: Till, core: AgentCore, reads: ShownTill['reads']): ShownTill {
  const attention = new Set(core.needingAttention({ limit: 1_000 }).map(({ rowId }) => rowId));
  const operations = core.recentOperations({ limit: 10_000 });
  const seenByPerson = new Set(till.seenByManager);
  for (const operation of operations) {
    if (!attention.has(operation.rowId)) continue;
    seenByPerson.add(operation.externalRef);
    const original = operation.reversesRowId === null ? null : core.operation(operation.reversesRowId);
    if (original !== null) seenByPerson.add(original.externalRef);
    // One of another till's: its request names the reference.
    const named = /"external_ref":"([^"]+)"/.exec(core.sentRequest(operation.rowId)?.body ?? '')?.[1];
    if (named !== undefined) seenByPerson.add(named);
  }
  return { till, core, operations, attention, seenByPerson, reads };
}

/** What an operation, or a request, makes in the service's books; null: no transaction that could be reversed. */
export function bookIntent(kind: Operation['intent']): 'earn' | 'redeem' | null {
  if (kind === 'earn') return 'earn';
  return kind === 'redeem' || kind === 'commit' ? 'redeem' : null;
}

export function heldUnder({ books }: Evidence, intent: string, ref: string): readonly HeldTransaction[] {
  return books.transactions.filter((held) => held.intent === intent && held.ref === ref);
}

/**
 * Whether the service has lost what it had under a reference: then nothing can be said of it.
 *
 * @param sinceMs what was lost earlier was sent again then
 */
export function isLost({ world }: Evidence, intent: string, ref: string, sinceMs = 0): boolean {
  return world.service.lost.some(({ transactions, atMs }) => atMs >= sinceMs && transactions.has(`${intent} ${ref}`));
}

/** Whether a till was told something in a time that its database does not remember any more. */
export function isForgotten({ world }: Evidence, asked: Asked): boolean {
  const till = world.tills.find(({ name }) => name === asked.till);
  if (till === undefined) return false;
  const moments = [...asked.askedAtMs, ...asked.told.map(({ atMs }) => atMs)];
  return till.forgotten.some(({ fromMs, toMs }) => moments.some((atMs) => atMs >= fromMs && atMs <= toMs));
}

/** Whether a row has the very request that was asked for, and not one that is the same sale or has taken its place. */
export function isRequestOf({ core }: ShownTill, { rowId }: Operation, { tag }: Asked): boolean {
  return core.sentRequest(rowId)?.body?.includes(`"${tag}"`) ?? false;
}

/** Whether all that a till was asked and told of a request was in a time that its database does not remember any more. */
export function isWhollyForgotten({ world }: Evidence, { till: name, askedAtMs, told }: Asked): boolean {
  const forgotten = world.tills.find((till) => till.name === name)?.forgotten ?? [];
  const moments = [...askedAtMs, ...told.map(({ atMs }) => atMs)];
  return moments.every((atMs) => forgotten.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs));
}

/** Whether anybody asked for what stands under a reference to be taken back, in words or by a decision. */
export function wasReversalAsked({ world }: Evidence, intent: 'earn' | 'redeem', ref: string): boolean {
  return world.asked.some(
    (asked) =>
      asked.ref === ref &&
      ((asked.kind === 'reverse' && asked.originalIntent === intent) ||
        (intent === 'redeem' && asked.wasFullPaymentAsked)),
  );
}

const dayMs = 86_400_000;
/** Shops of these histories count their days from 05:00 in Kuwait. */
const dayStartsAtMs = 2 * 3_600_000;
const repeatWindowMs = 10 * 60_000;

/**
 * Whether a transaction of another request is, as far as anybody can tell, the same sale: its customer, its values, its
 * reference, about its time.
 */
export function isSameSale({ world, books }: Evidence, asked: Asked, held: HeldTransaction): boolean {
  const card = books.cards.find(({ card_id: cardId }) => cardId === held.cardId);
  if (asked.loyaltyId !== null && card !== undefined && card.loyalty_id !== asked.loyaltyId) return false;
  if (!isSameValue(asked.values, held.values)) return false;
  // A till whose clock was set cannot tell one time from another.
  if (world.plan.faults.has('clock_jump')) return true;
  const askedAtMs = asked.askedAtMs[0] ?? 0;
  const dayOf = (ms: number): number => Math.floor((ms - dayStartsAtMs) / dayMs);
  return dayOf(askedAtMs) === dayOf(held.occurredAtMs) || Math.abs(askedAtMs - held.occurredAtMs) <= repeatWindowMs;
}

/** Whether a till can see a transaction under the key that it has now: another partner's are hidden from it. */
export function canSee({ world }: Evidence, till: Till, held: HeldTransaction): boolean {
  if (isKeyStuck(world, till)) return false;
  const source = till.apiKey === world.keys.other_partner ? otherPartner : demoSource;
  return held.source === source;
}

/** Whether a till's key is refused for good: it sees nothing any more. */
export function isKeyStuck({ network }: World, till: Till): boolean {
  return network.stuckBy(till.name, { loyaltyId: null, ref: '' }) === 'stuck_key';
}

/** Everything of a till that may be stuck for ever in this history. */
export function stuckReason({ world }: Evidence, till: Till, operation: Operation): string | null {
  const loyaltyId = operation.identifier?.kind === 'loyalty_id' ? operation.identifier.value : null;
  return world.network.stuckBy(till.name, { loyaltyId, ref: operation.externalRef });
}
