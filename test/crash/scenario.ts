import { join } from 'node:path';
import { expect } from 'vitest';
import type { Operation } from '../../app/store/schema/operation.ts';
import { readSoundBooks } from './agent-books.ts';
import type { KillableShop, Told } from './killable.ts';

// LONG_TESTS=1 makes it long.
export const isLong = process.env.LONG_TESTS === '1';

export const startPoints = 245.5;
export const identifier = { loyalty_id: 'LC-1001' };

/** What is found when everything has come to rest. */
export interface Findings {
  /** What the service holds of an intent under a reference; every one exactly once. */
  readonly held: (reference: string, intent?: string) => Promise<string>;
  readonly heldAtKill: (reference: string, intent?: string) => string;
  /** What the agent says of it. */
  readonly row: (reference: string, intent?: string) => Operation | undefined;
  readonly told: (what: string) => readonly string[];
  readonly answers: readonly Told[];
  readonly points: number;
  readonly asksAgain: boolean;
  readonly shop: KillableShop['shop'];
  /** For messages. */
  readonly what: string;
}

export interface Scenario {
  readonly name: string;
  /** What has to stand before. */
  readonly prepare?: (at: KillableShop) => Promise<void>;
  /** What is cut short by the kill. */
  readonly work: (at: KillableShop) => Promise<void>;
  /** What a caller who got no answer asks after the kill; the work once more without it. */
  readonly again?: (at: KillableShop) => Promise<void>;
  readonly check: (found: Findings) => Promise<void> | void;
  /** References that the books are compared for, with what they do to the card's points. */
  readonly points: Readonly<Record<string, number>>;
  /** How long until everything is known: codes and holds are not in the books, and have to run out. */
  readonly restMs?: number;
}

const faults = [
  { words: '', fault: null },
  { words: ' whose request is lost', fault: 'drop_request' },
  { words: ' whose answer is lost', fault: 'drop_response' },
  { words: ' whose answer is cut', fault: 'partial_response' },
] as const;

/** The same with every way in which the line can fail it. */
export function onEachLine(path: string, scenario: Scenario): readonly Scenario[] {
  // An answer that is cut is an answer that is lost, but for the client's eyes.
  const lines = faults.filter(
    ({ fault }) => isLong || scenario.name === 'a redemption' || fault !== 'partial_response',
  );
  return lines.map(({ words, fault }) => ({
    ...scenario,
    name: scenario.name + words,
    async prepare(at: KillableShop) {
      await scenario.prepare?.(at);
      if (fault !== null) await at.shop.fault(path, { type: fault }, 1);
    },
  }));
}

/** Who was told that it is done can rely on it; who was told nothing has paid in another way. */
export async function standsAsTold(found: Findings, part: { what: string; intent: string }): Promise<void> {
  const { what, intent } = part;
  const held = await found.held('X-1', intent);
  if (found.told(what).includes('done')) expect(held, found.what).toBe('success');
  else if (!found.asksAgain) expect(held, found.what).toBe(found.heldAtKill('X-1', intent));
  agrees(found, held, found.row('X-1', intent));
}

export function agrees(found: Findings, held: string, row: Operation | undefined): void {
  const agreeing: Readonly<Record<string, readonly (string | undefined)[]>> = {
    nothing: [undefined, 'cancelled', 'refused'],
    success: ['applied'],
    reversed: ['reversed'],
    failed: ['failed'],
  };
  expect(agreeing[held], found.what).toContain(row?.state);
}

export async function isTakenBack(found: Findings, intent: 'earn' | 'redeem'): Promise<void> {
  const held = await found.held('X-1', intent);
  agrees(found, held, found.row('X-1', intent));
  const isPromised = found.told('reverse').some((kind) => kind === 'saved' || kind === 'cancelled');
  if (isPromised || found.told('reversal').includes('done'))
    expect(['reversed', 'nothing'], found.what).toContain(held);
  // What was saved goes out by itself. What somebody had to wait for does not, once they have gone.
  else if (!found.asksAgain && intent === 'redeem') {
    const hasArrived = found.heldAtKill('reverse-redeem-X-1', 'reverse') !== 'nothing';
    expect(held, found.what).toBe(hasArrived ? 'reversed' : 'success');
  }
}

const intentInBooks: Readonly<Record<string, string>> = { commit: 'redeem' };

async function standing(at: KillableShop, reference: string, intent: string): Promise<string> {
  const rows = (await at.shop.held(reference)).filter((row) => row.intent === (intentInBooks[intent] ?? intent));
  expect(rows.length, `${intent} ${reference} once`).toBeLessThanOrEqual(1);
  return rows[0]?.status ?? 'nothing';
}

function waiting({ shop }: KillableShop) {
  const { queued, sending, unknown, accepted } = shop.core.status().operations;
  return { queued, sending, unknown, accepted };
}

const nothing = { queued: 0, sending: 0, unknown: 0, accepted: 0 };

/** Until nothing waits any more, and then for a while: what is at rest stays so. */
async function rest(at: KillableShop, restMs: number): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    const isQuiet = Object.values(waiting(at)).every((count) => count === 0);
    if (isQuiet && steps > 0) break;
    await at.shop.pass(restMs / 80, restMs / 80);
  }
  await at.shop.pass(120_000, 15_000);
}

/** Everything is at rest: the books of the service, of the agent and of whoever was told agree. */
export async function compareBooks(
  at: KillableShop,
  scenario: Scenario,
  run: { readonly heldAtKill: ReadonlyMap<string, string>; readonly asksAgain: boolean; readonly how: string },
): Promise<Findings> {
  const { heldAtKill, asksAgain, how } = run;
  await rest(at, scenario.restMs ?? 400_000);
  const told = (what: string) => at.told.filter((entry) => entry.what === what).map(({ kind }) => kind);
  const words = at.told.map(({ what, kind }) => `${what}: ${kind}`).join('; ');
  const what = `${how}; told [${words}]; held then [${[...heldAtKill].join(' ')}]`;
  let points = startPoints;
  for (const [key, value] of Object.entries(scenario.points)) {
    const [intent = '', reference = ''] = key.split(' ');
    if ((await standing(at, reference, intent)) === 'success') points += value;
  }
  expect(await at.shop.points(), what).toBe(points);
  expect(waiting(at), what).toEqual(nothing);
  const found: Findings = {
    held: (reference, intent = 'earn') => standing(at, reference, intent),
    heldAtKill: (reference, intent = 'earn') => heldAtKill.get(`${intent} ${reference}`) ?? 'nothing',
    row: (reference, intent = 'earn') =>
      at.shop.core.operationsByReference(reference).find((operation) => operation.intent === intent),
    told,
    answers: at.told,
    points,
    asksAgain,
    shop: at.shop,
    what,
  };
  await scenario.check(found);
  readSoundBooks(join(at.shop.dataDir, 'sandbox.sqlite'), what);
  return found;
}

/** What the service holds of everything that a scenario is about. */
export async function heldNow(at: KillableShop, scenario: Scenario): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>();
  for (const key of Object.keys(scenario.points)) {
    const [intent = '', reference = ''] = key.split(' ');
    held.set(key, await standing(at, reference, intent));
  }
  return held;
}
