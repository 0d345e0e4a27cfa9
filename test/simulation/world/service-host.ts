import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { createIds } from '../../../app/machine/ids.ts';
import { seededRandom } from '../../../app/machine/random.ts';
import type { IncomingCall, Outcome } from '../../../app/service/calls/exchange.ts';
import { createService, type Service } from '../../../app/service/service.ts';
import { Life, MachineClock, machineSchedule } from '../engine/machine.ts';
import type { Limits } from '../engine/plan.ts';
import { Scheduler } from '../engine/scheduler.ts';
import { removeAtExit, scratchFolder } from './scratch.ts';

/** What the service has lost: it was restored from a copy that is older. */
interface LostBooks {
  /** `intent reference` of transactions that are gone, or are as they were before. */
  readonly transactions: ReadonlySet<string>;
  readonly atMs: number;
}

/** The embedded service with its data in a file, in virtual time. It can be put back to an older copy of that file. */
export class ServiceHost {
  readonly lost: LostBooks[] = [];
  #path: string;
  readonly #scheduler: Scheduler;
  readonly #seed: number;
  readonly #folder: string;
  #fileCount = 0;
  #startCount = 0;
  #life = new Life();
  #service: Service;

  constructor(options: { readonly scheduler: Scheduler; readonly seed: number; readonly folder: string }) {
    this.#scheduler = options.scheduler;
    this.#seed = options.seed;
    this.#folder = options.folder;
    this.#path = this.#newFile(templateFile());
    this.#service = this.#open();
  }

  get apiKey(): string {
    return this.#service.apiKey;
  }

  exchange(call: IncomingCall): Promise<Outcome> {
    return this.#service.exchange(call);
  }

  /** A call of the control API. @throws Error when it is refused */
  async control(method: string, path: string, body?: object): Promise<unknown> {
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const headers = new Map([['authorization', `Bearer ${this.apiKey}`]]);
    if (bytes !== null) headers.set('content-type', 'application/json');
    const outcome = await this.exchange({
      method,
      target: `/_sandbox${path}`,
      body: bytes,
      address: null,
      origin: 'http://service.localhost',
      header: (name) => headers.get(name) ?? null,
    });
    if (outcome.kind !== 'response' || outcome.response.status >= 400) {
      throw new Error(`The control API did not do ${method} ${path}: ${JSON.stringify(outcome)}`);
    }
    return JSON.parse(outcome.response.body);
  }

  async set(limits: Pick<Limits, 'applyDelayMs' | 'offlineWindowHours'>): Promise<void> {
    const { applyDelayMs, offlineWindowHours } = limits;
    await this.control('PATCH', '/settings', {
      apply_delay_ms: applyDelayMs,
      offline_window_hours: offlineWindowHours,
    });
  }

  /** A copy of the data as it stands now. @returns its path */
  snapshot(): string {
    return this.#newFile(this.#path);
  }

  /** Goes on with a copy that is older than what it has. */
  restore(copy: string): void {
    this.close();
    const before = standingAt(this.#path);
    const after = standingAt(copy);
    this.#path = copy;
    this.#service = this.#open();
    const transactions = new Set([...before].filter(([id, row]) => after.get(id)?.status !== row.status).map(nameOf));
    this.lost.push({ transactions, atMs: this.#scheduler.nowMs });
  }

  close(): void {
    this.#life.isOver = true;
    this.#service.close();
  }

  #open(): Service {
    this.#startCount += 1;
    this.#life = new Life();
    const clock = new MachineClock(this.#scheduler, this.#life);
    const random = seededRandom(this.#seed * 77 + this.#startCount);
    const schedule = machineSchedule(this.#scheduler, this.#life);
    const soon = (callback: () => void): void => schedule.soon(callback);
    return createService({
      clock,
      random,
      ids: createIds(clock, random),
      data: { kind: 'file', path: this.#path },
      soon,
    });
  }

  #newFile(from: string): string {
    this.#fileCount += 1;
    const to = join(this.#folder, `service-${this.#fileCount}.sqlite`);
    for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
    return to;
  }
}

const standingRow = z.object({
  transaction_id: z.string(),
  intent: z.string(),
  external_ref: z.string(),
  status: z.string(),
});
type StandingRow = z.output<typeof standingRow>;

function standingAt(path: string): ReadonlyMap<string, StandingRow> {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    const rows = database.prepare('SELECT transaction_id, intent, external_ref, status FROM transactions').all();
    return new Map(rows.map((row) => standingRow.parse(row)).map((row) => [row.transaction_id, row]));
  } finally {
    database.close();
  }
}

function nameOf([, { intent, external_ref: externalRef }]: readonly [string, StandingRow]): string {
  return `${intent} ${externalRef}`;
}

/** When every history begins: a Friday morning in a shop in Kuwait. */
export const historyStartMs = Date.parse('2026-11-20T08:00:00Z');

let template: string | null = null;

/** A new service's data, made once: making the tables costs more than a short history. */
function templateFile(): string {
  if (template !== null) return template;
  const folder = mkdtempSync(scratchFolder('template-'));
  removeAtExit(folder);
  const path = join(folder, 'service.sqlite');
  const scheduler = new Scheduler({ seed: 0, startMs: historyStartMs, keepsLines: false });
  const clock = new MachineClock(scheduler, new Life());
  const random = seededRandom(1);
  createService({ clock, random, ids: createIds(clock, random), data: { kind: 'file', path } }).close();
  template = path;
  return path;
}
