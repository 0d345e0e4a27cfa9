import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { toInstant } from '../../shared/lib/clock.ts';
import type { DatabaseCheck } from '../../shared/till/diagnostics-commands.ts';

/** So many faults are told; one is enough to act upon. */
const mostProblems = 5;

/**
 * Runs in a thread of its own, as text because the program is one bundle: a check reads every page, and no sale may
 * wait for it. Table by table, each with its indexes. It only reads, on a connection that could write: on one that
 * cannot, SQLite leaves the CHECKs out.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.module);
const database = new Database(workerData.path, { fileMustExist: true });
try {
  database.pragma('query_only = ON');
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").pluck().all();
  const problems = [];
  for (const [done, table] of tables.entries()) {
    parentPort.postMessage({ done, total: tables.length, problems, isOver: false });
    const verdicts = database.pragma('integrity_check("' + table.replaceAll('"', '""') + '")').map((row) => row.integrity_check);
    problems.push(...verdicts.filter((verdict) => verdict !== 'ok'));
  }
  parentPort.postMessage({ done: tables.length, total: tables.length, problems, isOver: true });
} finally {
  database.close();
}
`;

const reportSchema = z.object({
  done: z.int(),
  total: z.int(),
  problems: z.array(z.string()),
  isOver: z.boolean(),
});

/** Checks a database beside the agent that writes to it, when somebody asks for it. */
export class DatabaseChecker {
  readonly #path: string;
  readonly #nowMs: () => number;
  #worker: Worker | null = null;
  #view: DatabaseCheck = { state: 'never', done: 0, total: 0, problems: [], ended_at: null };

  constructor(path: string, nowMs: () => number) {
    this.#path = path;
    this.#nowMs = nowMs;
  }

  get view(): DatabaseCheck {
    return this.#view;
  }

  /** Does nothing while one runs. */
  start(): void {
    if (this.#worker !== null) return;
    this.#view = { state: 'running', done: 0, total: 0, problems: [], ended_at: null };
    const module = createRequire(join(import.meta.dirname, 'from-here.js')).resolve('better-sqlite3');
    const worker = new Worker(program, { eval: true, workerData: { path: this.#path, module } });
    this.#worker = worker;
    worker.on('message', (message: unknown) => {
      const { isOver, done, total, problems } = reportSchema.parse(message);
      const told = problems.slice(0, mostProblems);
      if (!isOver) this.#view = { ...this.#view, done, total, problems: told };
      else this.#end({ state: problems.length === 0 ? 'sound' : 'damaged', done, total, problems: told });
    });
    worker.on('error', (error) => {
      // A page that cannot be read at all is damage; anything else is a check that did not happen.
      const isDamage = /malformed|not a database|disk image/i.test(error.message);
      this.#end({ ...this.#view, state: isDamage ? 'damaged' : 'failed', problems: [error.message] });
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      if (this.#view.state === 'running') this.#end({ ...this.#view, state: 'failed', problems: [] });
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #end(outcome: Omit<DatabaseCheck, 'ended_at'>): void {
    this.#view = { ...outcome, problems: outcome.problems.slice(0, mostProblems), ended_at: toInstant(this.#nowMs()) };
  }
}
