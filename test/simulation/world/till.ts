import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { type Bridge, createBridge } from '../../../app/bridge/bridge.ts';
import { settingsSchema } from '../../../app/config/settings.ts';
import type { AgentCore } from '../../../app/core/agent-core.ts';
import type { SealOptions } from '../../../app/core/begin-seals.ts';
import { createCore } from '../../../app/core/create-core.ts';
import { networkPacing } from '../../../app/line/pacing.ts';
import { databasePath } from '../../../app/machine/data-files.ts';
import { createTimeOrderedUuids, uuidFrom } from '../../../app/machine/ids.ts';
import { silentLog } from '../../../app/machine/log.ts';
import { seededRandom } from '../../../app/machine/random.ts';
import { profileKeyBytes } from '../../../app/machine/secrets.ts';
import { inProcessDispatcher } from '../../../app/service/faces/in-process.ts';
import { greatestSkewMs } from '../../../shared/till/limits.ts';
import { Life, MachineClock, machineSchedule } from '../engine/machine.ts';
import type { Limits } from '../engine/plan.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { Disk } from './disk.ts';
import type { Network } from './network.ts';
import { Practice } from './practice.ts';

interface TillOptions {
  readonly name: string;
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly folder: string;
  readonly limits: Limits;
  /** The key of the shop's own partner. */
  readonly apiKey: string;
  /** Told of what an agent logs as an error, and of the bridge's own faults. */
  readonly onComplaint: (text: string) => void;
}

/** What the bridge said; status 0 when nobody was there any more to hear it. */
export interface BridgeReply {
  readonly status: number;
  readonly body: unknown;
}

/** What an agent's program consists of from its start to its end. */
export interface Run {
  readonly life: Life;
  readonly clock: MachineClock;
  readonly core: AgentCore;
  readonly bridge: Bridge;
  readonly dispatcher: Dispatcher;
}

/** A till's database at one moment. */
interface DatabaseCopy {
  readonly folder: string;
  readonly atMs: number;
}

/** A time that a till has no memory of, because an older database was put in the place of its own. */
interface Forgotten {
  readonly fromMs: number;
  readonly toMs: number;
}

const bridgePort = 7425;
const token = 'pos';
const serviceUrl = 'http://service.localhost/v1';

/** One till of the shop: its disk, its clock, and the agent while it runs. */
export class Till {
  readonly name: string;
  readonly disk: Disk;
  readonly forgotten: Forgotten[] = [];
  /** When its agents were started, by its own clock. */
  readonly startTimesMs = new Set<number>();
  /** Whether it ever changed its key: what it sent under the one, a person has to decide under the other. */
  hadOtherKey = false;
  /** Whether its key was ever one of another partner: what it sent under the one it cannot read under the other. */
  hadForeignKey = false;
  apiKey: string;
  /** References of operations that a manager has seen and decided. */
  readonly seenByManager = new Set<string>();
  /** When rows were sent again because the service had lost them. */
  readonly sentAgain = new Map<number, number>();
  /** Whether it sells, and does not only practise. */
  isPractising = false;
  readonly #options: TillOptions;
  /** As the till keeps it outside of its database. */
  #areSealsBegun = false;
  #run: Run | null = null;
  #clockOffsetMs = 0;
  #startCount = 0;

  constructor(options: TillOptions) {
    this.#options = options;
    this.name = options.name;
    this.apiKey = options.apiKey;
    mkdirSync(options.folder);
    this.disk = new Disk(options.folder);
  }

  /** Null while the agent is not running. */
  get run(): Run | null {
    return this.#run;
  }

  get databaseFile(): string {
    return databasePath(this.#options.folder, 'production');
  }

  start(): void {
    const { scheduler, seed, folder, limits, onComplaint, name } = this.#options;
    this.#startCount += 1;
    const life = new Life();
    const clock = new MachineClock(scheduler, life, this.#clockOffsetMs);
    this.startTimesMs.add(clock.now());
    const random = seededRandom(seed * 1000 + this.#startCount * 10 + name.charCodeAt(0));
    const complain = (text: string): void => {
      if (!life.isOver) onComplaint(`${name} ${text}`);
    };
    const dispatcher = this.#dispatcher(life);
    const core = createCore({
      dataDir: folder,
      machine: null,
      clock,
      random,
      profileKey: Buffer.alloc(profileKeyBytes, 7),
      seal: this.#seal(),
      log: { ...silentLog, error: (facts, message) => complain(`${message} ${errorIn(facts)}`) },
      settings: settingsSchema.parse({
        mode: 'production',
        base_url: serviceUrl,
        device_ref: `till${name}`,
        retention_days: limits.retentionDays,
      }),
      service: { baseUrl: serviceUrl, apiKey: this.apiKey, dispatcher },
      pacing: { ...networkPacing, ...limits },
      schedule: machineSchedule(scheduler, life),
      freeBytesAt: () => this.disk.freeBytes,
      // Nobody cuts a file here, and each look is an event.
      checkFilesEveryMs: 24 * 3_600_000,
    });
    let requestCount = 0;
    const bridge = createBridge({
      core,
      door: {
        port: () => bridgePort,
        origins: [],
        tokens: (given) => (given === token ? { name: 'pos', referencePrefix: '', reach: 'all' as const } : null),
        officeSecret: 'nobody has it',
      },
      prove: () => 'nobody asks',
      newRequestId: () => {
        requestCount += 1;
        return `req_${name}${this.#startCount}_${requestCount}`;
      },
      newOperationId: createTimeOrderedUuids(clock, () => uuidFrom(random)),
      events: { answer: () => ({ status: 404, headers: {}, body: null }) },
      office: async () => Promise.reject(new Error('Nobody of store IT is here')),
      versions: {},
      onFault: (error) => complain(`bridge: ${error instanceof Error ? error.stack : String(error)}`),
    });
    this.#run = { life, clock, core, bridge, dispatcher };
  }

  /** The agent ends in good order. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    await run.core.close();
    this.#end(run);
  }

  /** The agent ends at this very moment; what was committed is what the next one finds. */
  kill(): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    this.#options.scheduler.trace(`${this.name} KILLED`);
    this.#end(run);
  }

  #end(run: Run): void {
    run.life.isOver = true;
    void run.dispatcher.destroy();
  }

  /** Makes a copy of the database as the disk has it now. */
  copyDatabase(): DatabaseCopy {
    const { folder, scheduler } = this.#options;
    const to = `${folder}-copy-${this.#startCount}-${scheduler.eventCount}`;
    mkdirSync(to);
    this.#copyFiles(folder, to);
    return { folder: to, atMs: scheduler.nowMs };
  }

  /** The running agent is killed, and its database replaced by a copy. @returns false when no agent runs */
  putBack(copy: DatabaseCopy): boolean {
    if (this.#run === null) return false;
    this.kill();
    const { folder, scheduler } = this.#options;
    for (const end of databaseParts) rmSync(this.databaseFile + end, { force: true });
    this.#copyFiles(copy.folder, folder);
    this.forgotten.push({ fromMs: copy.atMs, toMs: scheduler.nowMs });
    for (const [rowId, atMs] of this.sentAgain) if (atMs >= copy.atMs) this.sentAgain.delete(rowId);
    return true;
  }

  /** The screen is in sandbox mode: practice sales here, and production's go on being sent beside them. */
  startPractice(): Practice {
    const { scheduler, seed, folder } = this.#options;
    this.isPractising = true;
    this.#startCount += 1;
    const life = new Life();
    return new Practice({
      name: this.name,
      seed: seed * 1000 + this.#startCount * 10 + this.name.charCodeAt(0),
      scheduler,
      life,
      folder,
      clock: new MachineClock(scheduler, life, this.#clockOffsetMs),
      production: { baseUrl: serviceUrl, apiKey: this.apiKey, dispatcher: this.#dispatcher(life) },
      freeBytesAt: () => this.disk.freeBytes,
      seal: this.#seal(),
      onEnded: () => {
        this.isPractising = false;
      },
    });
  }

  #seal(): SealOptions {
    return {
      key: Buffer.alloc(32, 9),
      isBegun: this.#areSealsBegun,
      onBegun: () => {
        this.#areSealsBegun = true;
      },
    };
  }

  setClock(byMs: number): void {
    this.#clockOffsetMs += byMs;
    if (this.#run !== null) this.#run.clock.offsetMs = this.#clockOffsetMs;
  }

  /** Whether its own clock is right, or it knows by how much it is wrong. */
  knowsServiceTime(): boolean {
    const skewMs = this.#run?.core.status().clockSkewMs ?? 0;
    return Math.abs(this.#clockOffsetMs + skewMs) <= greatestSkewMs;
  }

  /** What a POS program asks of the bridge. */
  async ask(method: 'GET' | 'POST', path: string, body: object | null = null): Promise<BridgeReply> {
    const run = this.#run;
    if (run === null || this.isPractising) return nobodyThere;
    const headers = new Map([
      ['host', `127.0.0.1:${bridgePort}`],
      ['authorization', `Bearer ${token}`],
    ]);
    if (body !== null) headers.set('content-type', 'application/json');
    const bytes = body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
    const answer = await run.bridge({
      method,
      target: `/v1${path}`,
      header: (name) => headers.get(name),
      readBody: () => Promise.resolve(bytes),
    });
    if (run.life.isOver) return nobodyThere;
    return { status: answer.status, body: answer.body === null ? null : JSON.parse(answer.body) };
  }

  /** A line of its own for a program that lives as long as `life`. */
  #dispatcher(life: Life): Dispatcher {
    const { network, scheduler, name } = this.#options;
    const sender = {
      name,
      get isOver() {
        return life.isOver;
      },
    };
    return inProcessDispatcher({
      exchange: (call) => network.carry(sender, call),
      hostClock: new MachineClock(scheduler, life),
    });
  }

  #copyFiles(from: string, to: string): void {
    for (const end of ['', '-wal']) {
      const file = `production.sqlite${end}`;
      if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
    }
  }
}

const nobodyThere: BridgeReply = { status: 0, body: null };
const databaseParts = ['', '-wal', '-shm'] as const;

const withError = z.object({ error: z.unknown() });

function errorIn(facts: object): string {
  const { error } = withError.partial().parse(facts);
  return error instanceof Error ? error.message : '';
}
