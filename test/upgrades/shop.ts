import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import type { AgentCore } from '../../app/core/agent-core.ts';
import type { IncomingCall, Outcome } from '../../app/service/calls/exchange.ts';
import type { Service } from '../../app/service/service.ts';
import { callService } from '../support/call-service.ts';
import { eagerSchedule } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { Program } from './program.ts';

export const tillFile = 'sandbox.sqlite';
export const serviceFile = 'sandbox-service.sqlite';

/** A call that reached the line, in the order of their coming. */
export interface SeenCall {
  readonly method: string;
  /** Relative to `base_url`, with its query. */
  readonly path: string;
  readonly body: string;
}

/** Calls with this text in their path or body get no answer; with `arrives` the service does what they ask. */
interface Held {
  readonly text: string;
  readonly arrives: boolean;
}

/** A till and its sandbox service, of any version of the program, both on files in one folder, with one clock. */
export class ProgramShop {
  readonly clock: ManualClock;
  readonly folder: string;
  readonly errors: string[] = [];
  readonly seen: SeenCall[] = [];
  readonly held: Held[] = [];
  readonly #program: Program;
  #service: Service | null = null;
  #core: AgentCore | null = null;
  #dispatcher: Dispatcher | null = null;
  #starts: number;

  /** @param options.starts how often the service was started on this file before: its ids are others each time */
  constructor(
    program: Program,
    options: { readonly folder: string; readonly startsAtMs: number; readonly starts?: number },
  ) {
    this.#program = program;
    this.folder = options.folder;
    this.#starts = options.starts ?? 0;
    this.clock = new ManualClock(options.startsAtMs);
    mkdirSync(this.folder, { recursive: true });
  }

  get core(): AgentCore {
    if (this.#core === null) throw new Error('The agent of this shop is not running');
    return this.#core;
  }

  get service(): Service {
    if (this.#service === null) throw new Error('The service of this shop is not running');
    return this.#service;
  }

  start(): void {
    const { createCore, createIds, createService, inProcessDispatcher, networkPacing, seededRandom, settingsSchema } =
      this.#program;
    this.#starts += 1;
    const random = seededRandom(this.#starts);
    const service = createService({
      clock: this.clock,
      random,
      ids: createIds(this.clock, random),
      data: { kind: 'file', path: join(this.folder, serviceFile) },
    });
    this.#service = service;
    this.#dispatcher = inProcessDispatcher({
      hostClock: service.hostClock,
      exchange: (call) => this.#carry(service, call),
    });
    this.#core = createCore({
      profileKey: Buffer.alloc(32, 7),
      dataDir: this.folder,
      machine: null,
      clock: this.clock,
      random: seededRandom(100 + this.#starts),
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: () => undefined,
        error: (facts, message) => this.errors.push(`${message} ${'error' in facts ? String(facts.error) : ''}`),
      },
      settings: settingsSchema.parse({}),
      service: { baseUrl: 'http://sandbox.invalid/v1', apiKey: service.apiKey, dispatcher: this.#dispatcher },
      pacing: { ...networkPacing, reconnectSpreadMs: 0 },
      schedule: eagerSchedule,
      // What an older program has saved is sealed by the first start of this one.
      seal: { key: Buffer.alloc(32, 9), isBegun: false, onBegun: () => undefined },
    });
  }

  async stop(): Promise<void> {
    // What never gets an answer would keep the agent from closing.
    const [core, dispatcher, service] = [this.#core, this.#dispatcher, this.#service];
    this.#core = null;
    this.#dispatcher = null;
    this.#service = null;
    await dispatcher?.destroy();
    await core?.close();
    service?.close();
  }

  /** A call of the control API, or of the service itself with its own key. */
  call(method: string, path: string, body?: object) {
    return callService(this.service, { method, path, body });
  }

  async pass(durationMs: number, stepMs = 250): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      this.clock.advance(Math.min(stepMs, durationMs - passedMs));
      await this.quiet();
    }
  }

  async quiet(): Promise<void> {
    for (let turns = 0; turns < 12; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async #carry(service: Service, call: IncomingCall): Promise<Outcome> {
    const body = call.body instanceof Uint8Array ? Buffer.from(call.body).toString('utf8') : '';
    this.seen.push({ method: call.method, path: call.target.replace(/^\/v1/, ''), body });
    const held = this.held.find(({ text }) => `${call.target} ${body}`.includes(text));
    if (held === undefined) return service.exchange(call);
    if (held.arrives) await service.exchange(call);
    return new Promise(() => undefined);
  }
}
