import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import type { AgentCore } from '../../app/core/agent-core.ts';
import { createCore } from '../../app/core/create-core.ts';
import { networkPacing } from '../../app/line/pacing.ts';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { NewEarn, SaveOutcome } from '../../app/operations/intake/save-outcome.ts';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { IncomingCall, Outcome } from '../../app/service/calls/exchange.ts';
import { inProcessDispatcher } from '../../app/service/faces/in-process.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { followingClock } from '../../app/service/time/following-clock.ts';
import type { WriterSchedule } from '../../app/store/database/writer.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import { callService } from './call-service.ts';
import { eagerSchedule } from './core-shop.ts';
import type { SettingsInput } from './fake-settings.ts';
import { ManualClock } from './manual-clock.ts';
import { placeMigratedDatabase } from './migrated-database.ts';

export type Carry = (call: IncomingCall) => Promise<Outcome>;

/** One till on the real service (in process, with its faults), and one clock for both. */
export class CounterShop {
  /** The service's, and the right one. */
  readonly clock = new ManualClock();
  /** The till's: what somebody sets at the till, the service does not know. */
  readonly #tillClock: Clock = {
    now: () => this.clock.now() + this.#tillIsAheadMs,
    monotonicMs: () => this.clock.monotonicMs() - this.#startedAtMs,
    setTimer: (callback, delayMs) => this.clock.setTimer(callback, delayMs),
  };
  #tillIsAheadMs = 0;
  /** The till's monotonic time begins with each start. */
  #startedAtMs = 0;
  /** What stands between the till and the service: it may answer by itself, late, or with another's answer. */
  meddle: (call: IncomingCall, carry: Carry) => Promise<Outcome> = (call, carry) => carry(call);
  service: Service;
  dataDir: string;
  readonly errors: string[] = [];
  /** What the agent logged as warnings. */
  readonly warnings: string[] = [];
  /** What the agent told the audit log. */
  readonly audited: AuditEvent[] = [];
  /** When the till commits, from the next start on. */
  schedule: WriterSchedule = eagerSchedule;
  /** From the next start on the till lives with the sandbox: it follows the clock that a tester moves. */
  isEmbedded = false;
  /** Of the next start; what is left out is as it comes. */
  settings: SettingsInput = {};
  /** As the till keeps it outside of its database. */
  #areSealsBegun = false;
  /** On which the next start is. */
  machine: string | null = null;
  readonly #dirs: string[] = [];
  #core: AgentCore | null = null;
  #dispatcher: Dispatcher | null = null;
  #presses = 0;
  readonly #wire: (line: Dispatcher) => Dispatcher;

  /** @param wire takes the place of the line to the service: a test may watch it, or cut it */
  constructor(wire: (line: Dispatcher) => Dispatcher = (line) => line) {
    this.#wire = wire;
    this.service = this.#newService();
    this.dataDir = this.#newDir();
    placeMigratedDatabase(join(this.dataDir, 'sandbox.sqlite'));
    this.start();
  }

  get core(): AgentCore {
    if (this.#core === null) throw new Error('The agent of this shop is not running');
    return this.#core;
  }

  start(apiKey = this.service.apiKey): void {
    this.#startedAtMs = this.clock.monotonicMs();
    this.#dispatcher = inProcessDispatcher({
      hostClock: this.service.hostClock,
      exchange: (call) => this.meddle(call, (carried) => this.service.exchange(carried)),
    });
    this.#core = createCore({
      profileKey: Buffer.alloc(32, 7),
      dataDir: this.dataDir,
      machine: this.machine,
      clock: this.isEmbedded ? followingClock(this.service, this.#tillClock) : this.#tillClock,
      machineClock: this.#tillClock,
      isTestClock: this.isEmbedded,
      random: seededRandom(this.#dirs.length),
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: (_facts, message) => this.warnings.push(message),
        error: (facts, message) => this.errors.push(`${message} ${'error' in facts ? String(facts.error) : ''}`),
      },
      settings: settingsSchema.parse(this.settings),
      service: { baseUrl: 'http://sandbox.invalid/v1', apiKey, dispatcher: this.#wire(this.#dispatcher) },
      audit: { note: (event) => this.audited.push(event) },
      pacing: { ...networkPacing, reconnectSpreadMs: 0 },
      schedule: this.schedule,
      seal: {
        key: Buffer.alloc(32, 9),
        isBegun: this.#areSealsBegun,
        onBegun: () => {
          this.#areSealsBegun = true;
        },
      },
    });
  }

  /** Somebody sets the till's clock. */
  setTillClock(byMs: number): void {
    this.#tillIsAheadMs += byMs;
  }

  async stop(): Promise<void> {
    await this.#core?.close();
    this.#core = null;
    await this.#dispatcher?.destroy();
  }

  /** What the disk holds now: everything writes in this thread, so a copy made in one go is a state that it had. */
  image(): string {
    const image = this.#newDir();
    cpSync(this.dataDir, image, { recursive: true });
    return image;
  }

  /** The agent dies, as by a kill: at this moment, or when `image` was taken. */
  crash(image = this.image()): void {
    const corpse = this.#core;
    const dispatcher = this.#dispatcher;
    this.dataDir = image;
    this.#core = null;
    void dispatcher?.destroy().then(() => corpse?.close());
  }

  async end(): Promise<void> {
    await this.stop();
    this.service.close();
    for (const dir of this.#dirs) rmSync(dir, { recursive: true, force: true });
  }

  /** The service is put back as it was before it took anything; the agent starts again. */
  async loseBooks(): Promise<void> {
    await this.stop();
    this.service.close();
    this.service = this.#newService();
    this.start();
  }

  #newService(): Service {
    const random = seededRandom(7);
    return createService({
      clock: this.clock,
      random,
      ids: createIds(this.clock, random),
      data: { kind: 'memory' },
    });
  }

  /** A call of the control API, or of the service itself with the service's own key. */
  call(method: string, path: string, body?: object) {
    return callService(this.service, { method, path, body });
  }

  fault(path: string, effect: object, times?: number) {
    return this.call('POST', '/_sandbox/faults', {
      match: { path },
      effect,
      ...(times === undefined ? {} : { times }),
    });
  }

  mend() {
    return this.call('DELETE', '/_sandbox/faults');
  }

  /** What the service holds under a reference. */
  async held(
    externalRef: string,
  ): Promise<readonly { readonly transaction_id: string; readonly intent: string; readonly status: string }[]> {
    return (await this.call('GET', `/v1/transactions?external_ref=${encodeURIComponent(externalRef)}`)).data;
  }

  async points(loyaltyId = 'LC-1001'): Promise<number> {
    return (await this.call('POST', '/v1/customers/identify', { loyalty_id: loyaltyId })).cards[0].balances.points;
  }

  /** The one operation of an intent under a reference. */
  operation(externalRef: string, intent: OperationIntent = 'earn'): Operation {
    const found = this.core.operationsByReference(externalRef).filter((operation) => operation.intent === intent);
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} of ${intent} ${externalRef}`);
    return only;
  }

  /** @param part what differs from ten points for LC-1001 at the screen; with a request, its value too */
  saveEarn(
    externalRef: string,
    request: Partial<NewEarn['request']> = { points: 10 },
    part: Partial<Omit<NewEarn, 'request'>> = {},
  ): Promise<SaveOutcome> {
    return this.core.saveEarn({
      origin: 'till',
      operationId: this.newId(),
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
      ...part,
      request: { identifier: { loyalty_id: 'LC-1001' }, ...request, external_ref: externalRef },
    });
  }

  /** The same, and it is saved. */
  async saved(...earn: Parameters<CounterShop['saveEarn']>): Promise<Operation> {
    const outcome = await this.saveEarn(...earn);
    if (outcome.kind !== 'saved') throw new Error(outcome.kind);
    return outcome.operation;
  }

  newId(): string {
    this.#presses += 1;
    return `00000000-0000-4000-8000-${String(this.#presses).padStart(12, '0')}`;
  }

  /** A redemption as the screen would ask for it. */
  redemption(externalRef: string, value: object, part: Partial<NonEarnWrite> = {}): NonEarnWrite {
    const identifier = { loyalty_id: 'LC-1001' };
    return {
      origin: 'till',
      operationId: this.newId(),
      intent: 'redeem',
      path: '/transactions/redeem',
      body: { identifier, external_ref: externalRef, ...value },
      externalRef,
      identifier,
      customerName: 'Fatima',
      idempotencyKey: null,
      reversesRowId: null,
      ...part,
    };
  }

  /** Lets time pass in small steps, with room for everything that is under way. */
  async pass(durationMs: number, stepMs = 250): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      this.clock.advance(Math.min(stepMs, durationMs - passedMs));
      await this.quiet();
    }
  }

  async quiet(): Promise<void> {
    for (let turns = 0; turns < 12; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Time passes until it is settled. */
  async passUntil<T>(promise: Promise<T>, limitMs = 600_000): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    await this.quiet();
    for (let passedMs = 0; !settled; passedMs += 250) {
      if (passedMs > limitMs) throw new Error(`Not settled after ${limitMs} ms`);
      await this.pass(250);
    }
    return watched;
  }

  #newDir(): string {
    const dir = mkdtempSync(join(tmpdir(), 'tillbridge-counter-'));
    this.#dirs.push(dir);
    return dir;
  }
}
