import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import type { AgentCore } from '../../app/core/agent-core.ts';
import { createCore } from '../../app/core/create-core.ts';
import { networkPacing, type Pacing } from '../../app/line/pacing.ts';
import type { Log } from '../../app/machine/log.ts';
import { seededRandom } from '../../app/machine/random.ts';
import type { NewEarn, SaveOutcome } from '../../app/operations/intake/save-outcome.ts';
import type { WriterSchedule } from '../../app/store/database/writer.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import { type CountedLine, countedLine } from './counted-line.ts';
import type { SettingsInput } from './fake-settings.ts';
import { ManualClock } from './manual-clock.ts';
import { placeMigratedDatabase } from './migrated-database.ts';
import { ScriptedService } from './scripted-service.ts';
import { standardLine } from './standard-line.ts';

interface ShopOptions {
  readonly settings?: SettingsInput;
  readonly pacing?: Partial<Pacing>;
  readonly startsAt?: string;
  readonly apiKey?: string;
  /** When to commit; without it nothing waits for company. */
  readonly schedule?: WriterSchedule;
  readonly seed?: number;
  readonly profileKey?: Uint8Array;
  readonly tillKey?: Uint8Array;
}

const tillKey = Buffer.alloc(32, 9);

/** Of real time: a busy machine takes as long as it takes. */
const patienceMs = 40_000;

/** Commits at the end of each turn of the event loop. */
export const eagerSchedule: WriterSchedule = {
  soon: (callback) => {
    setImmediate(callback);
  },
  later: (callback) => {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};

/** One till: its agent over real sockets and a real file, a scripted service, and a clock that the test moves. */
export class Shop {
  readonly clock: ManualClock;
  readonly service: ScriptedService;
  /** What the agent logged as errors. */
  readonly errors: string[] = [];
  readonly warnings: string[] = [];
  /** What the agent told the audit log. */
  readonly audited: AuditEvent[] = [];
  dataDir: string;
  #core: AgentCore | null = null;
  #line: CountedLine | null = null;
  readonly #dirs: string[] = [];
  readonly #options: ShopOptions;
  #saved = 0;

  constructor(options: ShopOptions = {}) {
    this.#options = options;
    this.clock = new ManualClock(options.startsAt);
    this.service = new ScriptedService(this.clock);
    this.dataDir = this.#newDir();
    placeMigratedDatabase(this.databasePath);
  }

  /** As the till keeps it outside of its database. */
  areSealsBegun = false;
  /** As the till keeps it outside of its database. */
  peopleVersion: number | null = null;

  static async open(options: ShopOptions = {}): Promise<Shop> {
    const shop = new Shop(options);
    await shop.service.start();
    shop.start();
    return shop;
  }

  get core(): AgentCore {
    if (this.#core === null) throw new Error('The agent of this shop is not running');
    return this.#core;
  }

  get databasePath(): string {
    return join(this.dataDir, 'sandbox.sqlite');
  }

  /** Starts the agent on what is in the folder. */
  start(more: Partial<ShopOptions> = {}): AgentCore {
    const options = { ...this.#options, ...more };
    const line = countedLine(networkDispatcher(standardLine));
    this.#line = line;
    this.#core = createCore({
      profileKey: options.profileKey ?? Buffer.alloc(32, 7),
      dataDir: this.dataDir,
      machine: null,
      clock: this.clock,
      random: seededRandom(options.seed ?? 1),
      log: this.#log(),
      settings: settingsSchema.parse(options.settings ?? {}),
      service: {
        baseUrl: this.service.baseUrl,
        apiKey: options.apiKey ?? 'loyalty_pk_test_shop',
        dispatcher: line.line,
      },
      audit: { note: (event) => this.audited.push(event) },
      pacing: { ...networkPacing, reconnectSpreadMs: 0, ...options.pacing },
      schedule: options.schedule ?? eagerSchedule,
      peopleSealing: {
        own: { key: options.tillKey ?? tillKey, mode: 'sandbox', knownVersion: this.peopleVersion },
        other: { key: options.tillKey ?? tillKey, mode: 'production', knownVersion: 0 },
        onVersion: (version) => {
          this.peopleVersion = version;
        },
      },
      seal: {
        key: options.tillKey ?? tillKey,
        isBegun: this.areSealsBegun,
        onBegun: () => {
          this.areSealsBegun = true;
        },
      },
    });
    return this.#core;
  }

  /** Ends the agent in good order. */
  async stop(): Promise<void> {
    const core = this.#core;
    this.#core = null;
    await core?.close();
    await this.#line?.line.destroy();
    this.#line = null;
  }

  /**
   * The agent dies at this moment, as by a kill: what the disk holds now is what the next one finds. (Everything
   * writes in this thread, so that a copy made in one go is a state that the disk had.)
   */
  crash(): void {
    const corpse = this.#core;
    const line = this.#line;
    const left = this.dataDir;
    this.dataDir = this.#newDir();
    cpSync(left, this.dataDir, { recursive: true });
    this.#core = null;
    this.#line = null;
    // What the dead one still does goes to its own file, and nothing of it reaches the line.
    void line?.line.destroy().then(() => corpse?.close());
  }

  async end(): Promise<void> {
    await this.stop();
    await this.service.stop();
    for (const dir of this.#dirs) rmSync(dir, { recursive: true, force: true });
  }

  /** An earn with a customer of its own, unless the test says otherwise. */
  newEarn(part: Partial<Omit<NewEarn, 'request'>> & { readonly request?: Partial<NewEarn['request']> } = {}): NewEarn {
    this.#saved += 1;
    return {
      origin: 'bridge',
      operationId: `00000000-0000-4000-8000-${String(this.#saved).padStart(12, '0')}`,
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
      ...part,
      request: { identifier: { loyalty_id: `LC-${this.#saved}` }, amount_minor: 12_500, ...part.request },
    };
  }

  saveEarn(externalRef: string, request: Partial<NewEarn['request']> = {}): Promise<SaveOutcome> {
    return this.core.saveEarn(this.newEarn({ request: { ...request, external_ref: externalRef } }));
  }

  async saved(externalRef: string, request: Partial<NewEarn['request']> = {}): Promise<Operation> {
    const outcome = await this.saveEarn(externalRef, request);
    if (outcome.kind !== 'saved') throw new Error(`${externalRef} was not saved: ${outcome.kind}`);
    return outcome.operation;
  }

  operation(externalRef: string): Operation {
    const [operation] = this.core.operationsByReference(externalRef);
    if (operation === undefined) throw new Error(`There is no operation ${externalRef}`);
    return operation;
  }

  state(externalRef: string): OperationState {
    return this.operation(externalRef).state;
  }

  /** Real time for the sockets and the disk, none for the agent. */
  until(condition: () => boolean, what = String(condition)): Promise<void> {
    return until(condition, what);
  }

  /** Lets the agent's time pass from timer to timer, with room for sockets and disk between, until it is so. */
  async passUntil(
    condition: () => boolean,
    { limitMs = 3_600_000 }: { readonly limitMs?: number } = {},
  ): Promise<void> {
    const giveUpAtMs = this.clock.monotonicMs() + limitMs;
    for (;;) {
      await this.quiet();
      if (condition()) return;
      if (this.clock.monotonicMs() > giveUpAtMs) {
        throw new Error(`After ${limitMs} ms of the agent's time still not: ${String(condition)}`);
      }
      this.clock.advance(Math.max(1, this.clock.msToNextTimer ?? 1_000));
    }
  }

  /** Lets the agent's time pass, with room for sockets and disk after each step. */
  async pass(durationMs: number, stepMs = 250): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      this.clock.advance(Math.min(stepMs, durationMs - passedMs));
      await this.quiet();
    }
  }

  /** Waits until nothing is on the line but what the service holds back, and nothing waits for the disk. */
  async quiet(): Promise<void> {
    const giveUpAtMs = performance.now() + patienceMs;
    for (let stillTurns = 0; stillTurns < 12; stillTurns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if ((this.#line?.underWay() ?? 0) <= this.service.heldCount) continue;
      stillTurns = -1;
      if (performance.now() > giveUpAtMs) throw new Error('Somebody waits for an answer that does not come');
    }
  }

  /** The database as another program sees it. */
  inspect<T>(look: (database: Database) => T): T {
    const database = new BetterSqlite3(this.databasePath, { readonly: true });
    try {
      return look(database);
    } finally {
      database.close();
    }
  }

  #newDir(): string {
    const dir = mkdtempSync(join(tmpdir(), 'tillbridge-shop-'));
    this.#dirs.push(dir);
    return dir;
  }

  #log(): Log {
    return {
      debug: () => undefined,
      info: () => undefined,
      warn: (facts, message) => this.warnings.push(`${message} ${JSON.stringify(facts)}`),
      error: (facts, message) => {
        this.errors.push(`${message} ${'error' in facts ? String(facts.error) : JSON.stringify(facts)}`);
      },
    };
  }
}

/** Waits in real time until it is so. */
export async function until(condition: () => boolean, what = String(condition)): Promise<void> {
  const giveUpAtMs = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > giveUpAtMs) throw new Error(`Still not, after ${patienceMs} ms: ${what}`);
    await turn(1);
  }
}

function turn(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** A promise that the test resolves. */
export function signal(): { readonly promise: Promise<void>; readonly give: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, give: () => resolve() };
}
