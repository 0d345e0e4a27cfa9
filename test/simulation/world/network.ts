import type { IncomingCall, Outcome, OutgoingAnswer } from '../../../app/service/calls/exchange.ts';
import { chance, drawsOf } from '../engine/draws.ts';
import type { FaultName } from '../engine/faults.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import type { Marks } from '../marks.ts';
import { drawFate, type Fate } from './fate.ts';
import { errorAnswer, portalAnswer } from './made-answers.ts';

/** One till's way to the service. */
interface Sender {
  readonly name: string;
  /** Its program was killed: what it still asks for reaches nobody. */
  readonly isOver: boolean;
}

interface NetworkOptions {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly faults: ReadonlySet<FaultName>;
  readonly lineFaults: ReadonlySet<FaultName>;
  readonly rate: number;
  readonly marks: Marks;
  /** After this time a caller gives up. */
  readonly answerTimeoutMs: number;
  readonly exchange: (call: IncomingCall) => Promise<Outcome>;
  /** Makes a transaction fail when it would be applied. */
  readonly failLater: (transactionId: string) => Promise<void>;
  /** The last till: the one whose key may be refused for ever. */
  readonly lastTill: string;
}

/** A customer and the references about which the service may never answer. */
const stuckLoyaltyId = 'LC-1002';
const stuckRowProbability = 0.1;
const stuckKeyAfterMs = 60_000;

/** A proxy that was told no tries again within minutes, not for a day. */
const refusedCopyMs = 400_000;

const never: Promise<never> = new Promise(() => undefined);

/** Everything between the tills and the service. */
export class Network {
  /** From then on only what never heals is left. */
  isHealed = false;
  /** Tills whose line is down. */
  readonly down = new Set<string>();
  readonly #options: NetworkOptions;
  readonly #asked = new Map<string, number>();
  readonly #given = new Map<string, OutgoingAnswer>();
  readonly #waitingForSwap = new Map<string, (other: Outcome) => Outcome>();

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** Whether the service never answers this; what it says instead, if anything. */
  stuckBy(till: string, references: { readonly loyaltyId: string | null; readonly ref: string }): FaultName | null {
    const { faults, seed, lastTill, scheduler } = this.#options;
    if (faults.has('stuck_customer') && references.loyaltyId === stuckLoyaltyId) return 'stuck_customer';
    const isStuckRow = (): boolean => chance(drawsOf(seed, `stuck ${references.ref}`), stuckRowProbability);
    if (faults.has('stuck_row') && references.ref !== '' && isStuckRow()) return 'stuck_row';
    const isLate = scheduler.nowMs >= scheduler.startMs + stuckKeyAfterMs;
    return faults.has('stuck_key') && till === lastTill && isLate ? 'stuck_key' : null;
  }

  async carry(sender: Sender, call: IncomingCall): Promise<Outcome> {
    if (sender.isOver) return { kind: 'no_connection' };
    const request = readCall(call);
    const name = `${sender.name} ${call.method} ${call.target} ${request.ref}`;
    const count = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, count);
    return this.#withFate(sender, call, { ...request, name: `${name} #${count}` });
  }

  async #withFate(sender: Sender, call: IncomingCall, request: ReadCall & { readonly name: string }): Promise<Outcome> {
    const { scheduler, lineFaults, seed, rate, marks, answerTimeoutMs } = this.#options;
    const beganMs = scheduler.nowMs;
    const fate = drawFate(drawsOf(seed, `fate ${request.name}`), {
      can: (fault) => lineFaults.has(fault) && !this.isHealed && !request.isProbe,
      rate,
      isWrite: request.isWrite,
    });
    if (!request.isProbe) scheduler.trace(`net ${request.name} ${request.text.slice(0, 160)} ${fate.names.join(' ')}`);
    for (const fault of fate.names) marks.sometimes(`line: ${fault}`);
    if (this.down.has(sender.name)) {
      if (!request.isProbe) marks.sometimes('till: outage');
      await scheduler.sleep(fate.backMs);
      return { kind: 'no_connection' };
    }
    const stuck = this.stuckBy(sender.name, request);
    if (stuck !== null) {
      marks.sometimes(`for ever: ${stuck}`);
      await scheduler.sleep(fate.backMs);
      if (stuck === 'stuck_customer') return fate.endsAtOnce ? { kind: 'dropped' } : never;
      return answered(stuck === 'stuck_key' ? errorAnswer('UNAUTHENTICATED') : errorAnswer('INTERNAL'));
    }
    if (fate.arrivesAfterMs === null) {
      // What found no connection left nothing behind that could arrive later.
      if (fate.meets !== 'refuse') this.#deliverCopy(call, request, fate, { isRefused: fate.meets === 'throttle' });
      return this.#notDelivered(fate);
    }
    await scheduler.sleep(fate.arrivesAfterMs);
    const outcome = await this.#deliver(call, request.name);
    const isRefused = isRefusal(outcome);
    this.#deliverCopy(call, request, fate, { isRefused });
    if (fate.failsLater) await this.#failLater(outcome);
    if (scheduler.nowMs - beganMs > answerTimeoutMs) marks.sometimes('line: an answer after its caller gave up');
    return this.#bring(outcome, fate, request);
  }

  async #deliver(call: IncomingCall, name: string): Promise<Outcome> {
    const { scheduler, exchange } = this.#options;
    const outcome = await exchange(call);
    if (!name.includes(probeReference)) scheduler.trace(`svc ${name} -> ${textOf(outcome)}`);
    return outcome;
  }

  #deliverCopy(
    call: IncomingCall,
    { name }: { readonly name: string },
    { copyAfterMs }: Fate,
    { isRefused }: { readonly isRefused: boolean },
  ): void {
    if (copyAfterMs === null) return;
    const afterMs = isRefused ? Math.min(copyAfterMs, refusedCopyMs) : copyAfterMs;
    this.#options.scheduler.after(afterMs, () => void this.#deliver(call, `COPY ${name}`));
  }

  async #notDelivered(fate: Fate): Promise<Outcome> {
    await this.#options.scheduler.sleep(fate.backMs);
    if (fate.meets === 'refuse') return { kind: 'no_connection' };
    if (fate.meets === 'throttle') return answered(errorAnswer('RATE_LIMITED'));
    if (fate.meets === 'portal') return answered(portalAnswer);
    return fate.endsAtOnce ? { kind: 'dropped' } : never;
  }

  async #failLater(outcome: Outcome): Promise<void> {
    if (outcome.kind !== 'response' || outcome.response.status !== 202) return;
    const id = /"transaction_id":"([^"]+)"/.exec(outcome.response.body)?.[1];
    if (id === undefined) return;
    this.#options.marks.sometimes('service: what was accepted failed later');
    await this.#options.failLater(id);
  }

  /** The way back of an answer. */
  async #bring(outcome: Outcome, fate: Fate, request: ReadCall & { readonly name: string }): Promise<Outcome> {
    const { scheduler, marks } = this.#options;
    if (outcome.kind !== 'response') return outcome;
    const before = this.#given.get(request.shape);
    const isTelling = tellsWhatItIsAbout(outcome.response);
    if (isTelling) this.#given.set(request.shape, outcome.response);
    if (fate.meets === 'swap' && isTelling) return this.#swap(outcome, request);
    await scheduler.sleep(fate.backMs);
    if (fate.meets === 'drop_response') return fate.endsAtOnce ? { kind: 'dropped' } : never;
    if (fate.meets === 'cut_response') return { kind: 'partial', response: outcome.response };
    if (fate.meets === 'gateway_timeout') return answered(errorAnswer('UPSTREAM_TIMEOUT'));
    const isSame = before === undefined || before.body === outcome.response.body;
    if (fate.meets !== 'keep' || !isTelling || isSame) return outcome;
    marks.sometimes('line: an answer to an earlier request');
    scheduler.trace(`net ${request.name} gets an earlier answer: ${before.body.slice(0, 120)}`);
    return answered(before);
  }

  /** Waits a while for another request of the same kind to exchange answers with. */
  async #swap(own: Outcome, { shape, name }: ReadCall & { readonly name: string }): Promise<Outcome> {
    const { scheduler, marks } = this.#options;
    const partner = this.#waitingForSwap.get(shape);
    if (partner !== undefined) {
      this.#waitingForSwap.delete(shape);
      marks.sometimes('line: two answers were swapped');
      scheduler.trace(`net ${name} swaps its answer`);
      return partner(own);
    }
    return new Promise((resolve) => {
      const give = (other: Outcome): Outcome => {
        resolve(other);
        return own;
      };
      this.#waitingForSwap.set(shape, give);
      scheduler.after(3_000, () => {
        if (this.#waitingForSwap.get(shape) === give) this.#waitingForSwap.delete(shape);
        resolve(own);
      });
    });
  }
}

/** What the agent asks for when it only wants to know whether the line is there. */
const probeReference = 'tillbridge-connection-check';

interface ReadCall {
  readonly text: string;
  readonly ref: string;
  readonly loyaltyId: string | null;
  /** Whose request it is. */
  readonly tag: string | null;
  readonly isProbe: boolean;
  readonly isWrite: boolean;
  /** Requests of one shape have answers of one shape. */
  readonly shape: string;
}

function readCall(call: IncomingCall): ReadCall {
  const text = call.body === null || call.body === 'too_large' ? '' : Buffer.from(call.body).toString();
  const path = call.target.split('?')[0] ?? '';
  return {
    text,
    ref: /"external_ref":"([^"]+)"/.exec(text)?.[1] ?? '',
    loyaltyId: /"loyalty_id":"([^"]+)"/.exec(text)?.[1] ?? null,
    tag: /"(?:employee_ref|reason)":"([^"]+)"/.exec(text)?.[1] ?? null,
    isProbe: call.target.includes(probeReference),
    isWrite: call.method === 'POST' && !path.endsWith('/identify'),
    shape: `${call.method} ${path.replace(/\b(txn|res|cus|enr)_[A-Za-z0-9]+/, '{id}')}`,
  };
}

/**
 * An error, an empty list and a pending enrollment carry nothing of their question: in the place of another's nobody
 * could tell them from its own.
 */
function tellsWhatItIsAbout({ body }: OutgoingAnswer): boolean {
  return body.includes('"transaction_id"') || body.includes('"reservation_id"');
}

function isRefusal(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.response.status >= 400 && outcome.response.status < 500;
}

function answered(response: OutgoingAnswer): Outcome {
  return { kind: 'response', response };
}

function textOf(outcome: Outcome): string {
  return outcome.kind === 'response'
    ? `${outcome.response.status} ${outcome.response.body.slice(0, 220)}`
    : outcome.kind;
}
