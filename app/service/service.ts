import { z } from 'zod';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { refuse } from './answer.ts';
import { createKeyring, isUnlimited, type Keyring, newApiKey } from './calls/authentication.ts';
import { createDelays } from './calls/delays.ts';
import type { IncomingCall, Outcome } from './calls/exchange.ts';
import { createFaults, type FaultEffect } from './calls/faults.ts';
import { createPipeline } from './calls/pipeline.ts';
import { createRateLimiter } from './calls/rate-limit.ts';
import { createRequestLog } from './calls/request-log.ts';
import { createTurn } from './calls/turn.ts';
import { createWriteAnswer } from './calls/write-answer.ts';
import { createWriteGroup } from './calls/write-group.ts';
import type { ServiceContext } from './context.ts';
import { createControl } from './control/control.ts';
import type { RefuseUnreadable } from './faces/unreadable-requests.ts';
import { answerWebRequest } from './faces/web-request.ts';
import { addDemoCustomers, demoApiKey, demoSource } from './fixtures.ts';
import type { MakeId } from './ids.ts';
import { type ServiceLog, silentLog } from './log.ts';
import { applyDue } from './rules/apply.ts';
import { expireDue } from './rules/expire.ts';
import { createSettings, defaultSettings } from './settings.ts';
import { keepShopCurrency, readShopCurrency } from './shop-currency.ts';
import type { ServiceData } from './store/open.ts';
import { openStore, type Store } from './store/store.ts';
import { createAgenda } from './time/agenda.ts';
import { type ClockMode, clockStateSchema, createTestClock } from './time/test-clock.ts';

/** Where ids, codes and probabilities come from. */
export interface Entropy {
  readonly random: RandomSource;
  readonly ids: MakeId;
}

export interface ServiceOptions extends Entropy {
  /** The host's clock; the service's own time runs from it (see `clock` of Service). */
  readonly clock: Clock;
  readonly data: ServiceData;
  readonly log?: ServiceLog;
  /**
   * What the shop sells in (ISO 4217): the tenant's currency, and that of the demo customers' money. Left out, it stays
   * as this data has it; KWD at first.
   */
  readonly currency?: string;
  /** The only key that opens the control API; left out, the key of each partner does. */
  readonly controlKey?: string;
  /** Calls back when the events that are already here have been taken in: what arrives until then is committed together. */
  readonly soon?: (callback: () => void) => void;
  /**
   * Takes the place of `random` and `ids` when both are to repeat: it is given which start of this data this is,
   * from 1, so that a restart does not make the ids of the run before again.
   */
  readonly entropyOfStart?: (start: number) => Entropy;
}

/**
 * The Loyalty Integration Service as a function from a call to its outcome: no sockets, no wall clock of its own.
 * Paths under `/v1` are the specification's, those under `/_sandbox` the control API's.
 */
export interface Service {
  /** One call, with the faults it meets, for a face to carry out. */
  exchange(call: IncomingCall): Promise<Outcome>;
  /** The answer to a request that never became a call: what HTTP itself could not read. */
  readonly refuseUnreadable: RefuseUnreadable;
  /** Answers a web Request. @throws ConnectionFaultError when a fault leaves no whole answer */
  handle(request: Request): Promise<Response>;
  /** The service's own time: the test clock. */
  readonly clock: Clock;
  /** Whether that time runs by itself, or is held for a tester to move. */
  readonly clockMode: ClockMode;
  /** The clock it was made with: real time, for what goes on while the service's own stands still. */
  readonly hostClock: Clock;
  /** The tenant's currency now. */
  readonly currency: string;
  /** A key that opens the service. */
  readonly apiKey: string;
  /** A key that opens the control API. */
  readonly controlKey: string;
  /** The first customers' first cards, for somebody who does not know any. */
  firstCards(limit: number): readonly { readonly loyaltyId: string; readonly customerName: string | null }[];
  /** Called after the test clock was advanced, set, held, let run or reset. Returns the way to stop it. */
  onClockChange(listener: () => void): () => void;
  /** How far its time is ahead of `hostClock`. */
  readonly clockAheadMs: number;
  /** What the faults that can still strike do, in their order. */
  activeFaults(): readonly FaultEffect[];
  /** Called after the control API has changed anything, and after a fault has struck for the last time. */
  onControlChange(listener: () => void): () => void;
  /** Stops the timers and closes the data. */
  close(): void;
}

/** @throws DataFileError when the data file cannot be used; what the disk says when it takes no first write */
export function createService(options: ServiceOptions): Service {
  const store = openStore(options.data);
  try {
    return serviceOn(store, options);
  } catch (error) {
    // A store that stays open would keep the file from whoever tries again.
    store.close();
    throw error;
  }
}

function serviceOn(store: Store, options: ServiceOptions): Service {
  const { clock: hostClock, log = silentLog } = options;
  const currency = readShopCurrency(store, options.currency);
  const settings = createSettings(store.state, { ...defaultSettings, currency: currency.now });
  const start = store.write(() => {
    if (currency.now !== currency.before) settings.patch({ currency: currency.now });
    keepShopCurrency(store, currency);
    return countStart(store, { nowMs: hostClock.now(), currency: currency.now });
  });
  const { random, ids: makeId } = options.entropyOfStart?.(start) ?? options;
  const testClock = createTestClock({
    host: hostClock,
    initial: store.state.read('clock', clockStateSchema),
    keep: (state) => store.state.write('clock', state),
    asWhole: (move) => store.write(move),
    onTakenBack: () => agenda.rearm(),
  });
  const keyring = createKeyring(store.keys, testClock);
  const apiKey = ownKey(keyring, random);
  const agenda = createAgenda({
    clock: testClock,
    nextDueAtMs: () => earliest(store.transactions.nextDueAtMs(), store.reservations.nextExpiryAtMs()),
    runDue(nowMs) {
      store.write(() => {
        applyDue(store, nowMs);
        expireDue(store, nowMs);
      });
    },
    onError: (error) => log.error({ err: error }, 'What has become due could not be done'),
  });
  agenda.rearm();
  const controlListeners = new Set<() => void>();
  const onControlled = (): void => {
    for (const listener of controlListeners) listener();
  };
  const faults = createFaults({ makeId, random, onSpent: onControlled });
  const delays = createDelays(hostClock);
  const requestLog = createRequestLog();
  const rateLimiter = createRateLimiter(testClock);
  const context: ServiceContext = { clock: testClock, makeId, random, store, settings, agenda };
  const control = createControl(
    { ...context, clock: testClock, keyring, faults, delays, requestLog, rateLimiter },
    options.controlKey === undefined
      ? { kind: 'partners', ownKeys: [demoApiKey, apiKey] }
      : { kind: 'control_key', key: options.controlKey, source: demoSource },
  );
  const writeGroup = createWriteGroup({
    store,
    ...(options.soon === undefined ? {} : { soon: options.soon }),
    beforeGroup: () => testClock.catchUp(),
    afterSpoiled: () => agenda.rearm(),
  });
  const writeAnswer = createWriteAnswer(testClock);
  const pipeline = createPipeline({
    context,
    testClock,
    hostClock,
    door: { keyring, rateLimiter },
    control,
    onControlled,
    faults,
    delays,
    requestLog,
    log,
    writeGroup,
    turn: createTurn(options.soon ?? setImmediate),
    writeAnswer,
  });
  const { exchange } = pipeline;
  return {
    exchange,
    refuseUnreadable: (status, message) => writeAnswer(refuse('VALIDATION_ERROR', message, { status }), makeId('req')),
    handle: (request) => answerWebRequest(exchange, request),
    clock: testClock,
    get clockMode() {
      return testClock.mode;
    },
    hostClock,
    get currency() {
      return settings.current.currency;
    },
    apiKey,
    controlKey: options.controlKey ?? apiKey,
    firstCards: (limit) =>
      store.customers.list(limit).flatMap(({ customerId, name }) => {
        const [card] = store.cards.ofCustomer(customerId);
        return card === undefined ? [] : [{ loyaltyId: card.loyaltyId, customerName: name }];
      }),
    onClockChange: (listener) => testClock.onChange(listener),
    get clockAheadMs() {
      return testClock.aheadMs;
    },
    activeFaults: () => faults.active(),
    onControlChange(listener) {
      controlListeners.add(listener);
      return () => controlListeners.delete(listener);
    },
    close() {
      pipeline.close();
      writeGroup.flush();
      testClock.stop();
      store.close();
    },
  };
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/**
 * The demo key, or another key of the demo partner when the demo key was revoked or limited. The key opens the service from
 * every address and never expires.
 */
function ownKey(keyring: Keyring, random: RandomSource): string {
  keyring.add({ ...unlimitedKey, apiKey: demoApiKey });
  const demoKey = keyring.find(demoApiKey);
  if (demoKey !== null && isUnlimited(demoKey)) return demoApiKey;
  const usable = keyring.usableOf(demoSource);
  if (usable !== null) return usable;
  const apiKey = newApiKey(random);
  keyring.add({ ...unlimitedKey, apiKey });
  return apiKey;
}

const unlimitedKey = { source: demoSource, expiresAtMs: null, allowedAddresses: null, revoked: false };

/** Counts the starts of this data; the first one makes the demo customers. Runs inside a transaction. */
function countStart(store: Store, made: { readonly nowMs: number; readonly currency: string }): number {
  const start = (store.state.read('starts', z.int()) ?? 0) + 1;
  store.state.write('starts', start);
  if (start === 1) addDemoCustomers(store, made);
  return start;
}
