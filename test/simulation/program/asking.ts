import { type Asked, type AskedKind, noValues, type Subject, type Told } from '../facts.ts';
import type { Till } from '../world/till.ts';
import type { World } from '../world/world.ts';
import { toldByBridge } from './read-told.ts';
import type { Patience } from './steps.ts';

/** Where a step happens. */
export interface Place {
  readonly world: World;
  readonly till: Till;
  readonly step: number;
}

/** What stands in the service's books of everything that this step asks for. */
export function tagOf({ till, step }: Place): string {
  return `${till.name}:${step}`;
}

/** Somebody begins to ask for something. */
export function beginAsking(
  place: Place,
  what: Partial<Subject> & { readonly kind: AskedKind; readonly ref: string; readonly by: Asked['by'] },
): Asked {
  const asked: Asked = {
    loyaltyId: null,
    values: noValues,
    originalIntent: null,
    reservationId: null,
    phone: null,
    ...what,
    till: place.till.name,
    step: place.step,
    tag: tagOf(place),
    askedAtMs: [],
    wasClockUnheard: false,
    told: [],
    decision: null,
    wasFullPaymentAsked: false,
  };
  place.world.asked.push(asked);
  return asked;
}

/** Somebody asks, for the first time or again. */
export function noteAsking({ world, till }: Place, asked: Asked): void {
  asked.askedAtMs.push(world.scheduler.nowMs);
  if (!till.knowsServiceTime()) asked.wasClockUnheard = true;
}

/** Notes what somebody was told; null: nobody was there any more to be told. */
export function noteTold({ world, till, step }: Place, asked: Asked, told: Told | null): void {
  if (told === null) return;
  asked.told.push(told);
  const { verdict, status, code, details, state, isDuplicate } = told;
  world.marks.sometimes(`told: ${asked.kind} ${verdict}`);
  world.scheduler.trace(
    `told ${till.name} #${step} ${asked.kind} ${asked.ref}: ${verdict} ${status} ${code ?? ''} ${details} ${state ?? ''} ${isDuplicate}`,
  );
}

/** A POS program's write: it asks again while it has no answer, or none that tells. @returns the last answer */
export async function post(
  place: Place,
  asked: Asked,
  request: { readonly path: string; readonly body: object | null } & Patience,
): Promise<Told | null> {
  const { world, till } = place;
  let last: Told | null = null;
  for (let attempt = 0; attempt <= request.retries; attempt += 1) {
    if (attempt > 0) await world.scheduler.sleep(request.retryAfterMs);
    noteAsking(place, asked);
    const reply = await till.ask('POST', request.path, request.body);
    last = reply.status === 0 ? null : toldByBridge(asked.kind, reply, world.scheduler.nowMs);
    noteTold(place, asked, last);
    if (last !== null && last.verdict !== 'unknown' && last.verdict !== 'not_sent') break;
  }
  return last;
}
