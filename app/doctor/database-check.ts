import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { toInstant } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import type { DatabaseCheck } from '../../shared/till/diagnostics-commands.ts';
import { connect } from '../store/database/connect.ts';
import { isDamage } from '../store/database/open.ts';
import { startReader } from '../store/database/reader-process.ts';
import { isLogOfEmptyFile } from '../store/files/empty-file.ts';

/** So many faults are told; one is enough to act upon. */
const mostProblems = 5;
/** A database of this size is read in moments; a larger one would keep a sale waiting. */
const mostReadHereBytes = 64 * 1024 * 1024;

/**
 * Runs in a process of its own (reader-process.ts). Table by table, each with its indexes. It only reads, on a connection
 * that could write: on one that cannot, SQLite leaves the CHECKs out.
 */
const program = `
const [path, module] = process.argv.slice(1);
const tell = (report) => process.stdout.write(JSON.stringify(report) + '\\n');
let done = 0;
let total = 0;
const problems = [];
try {
  const Database = require(module);
  const database = new Database(path, { fileMustExist: true });
  for (const setting of ['query_only = ON', 'trusted_schema = OFF', 'cell_size_check = ON']) database.pragma(setting);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").pluck().all();
  total = tables.length;
  for (const table of tables) {
    tell({ kind: 'part', done, total, problems });
    const verdicts = database.pragma('integrity_check("' + table.replaceAll('"', '""') + '")').map((row) => row.integrity_check);
    problems.push(...verdicts.filter((verdict) => verdict !== 'ok'));
    done += 1;
  }
  database.close();
  tell({ kind: 'over', done, total, problems });
} catch (error) {
  const isDamage = /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
  tell({ kind: isDamage ? 'damaged' : 'failed', done, total, problems: [...problems, String(error.message)] });
}
`;

const reportSchema = z.object({
  kind: z.enum(['part', 'over', 'damaged', 'failed']),
  done: z.int(),
  total: z.int(),
  problems: z.array(z.string()),
});
type Report = z.output<typeof reportSchema>;

/** Checks a database beside the agent that writes to it, when somebody asks for it. */
export class DatabaseChecker {
  readonly #path: string;
  readonly #nowMs: () => number;
  readonly #execPath: string | undefined;
  #child: ChildProcess | null = null;
  #view: DatabaseCheck = { state: 'never', done: 0, total: 0, problems: [], ended_at: null };

  /** @param execPath the program that reads it; another one in tests */
  constructor(path: string, nowMs: () => number, execPath?: string) {
    this.#path = path;
    this.#nowMs = nowMs;
    this.#execPath = execPath;
  }

  get view(): DatabaseCheck {
    return this.#view;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** Does nothing while one runs. */
  start(): void {
    if (this.#child !== null) return;
    this.#view = { state: 'running', done: 0, total: 0, problems: [], ended_at: null };
    // The reader would have SQLite delete the log, and what is told here is the same.
    if (isLogOfEmptyFile(this.#path)) {
      this.#checkHere();
      return;
    }
    const child = startReader(program, this.#path, this.#execPath);
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    let isHeardOf = false;
    child.stdout.once('data', () => {
      isHeardOf = true;
    });
    child.once('close', () => {
      const isClosing = this.#child !== child;
      if (!isClosing) this.#child = null;
      if (this.#view.state !== 'running') return;
      // It never began: this program cannot be a second process here. What it reads is the same, here too.
      if (!isHeardOf && !isClosing && bytesOf(this.#path) <= mostReadHereBytes) this.#checkHere();
      else this.#end('failed', []);
    });
  }

  #checkHere(): void {
    try {
      const database = connect(this.#path, { fileMustExist: true });
      try {
        database.pragma('query_only = ON');
        const verdicts = z.array(z.object({ integrity_check: z.string() })).parse(database.pragma('integrity_check'));
        const problems = verdicts.map((row) => row.integrity_check).filter((verdict) => verdict !== 'ok');
        this.#view = { ...this.#view, done: 1, total: 1 };
        this.#end(problems.length === 0 ? 'sound' : 'damaged', problems);
      } finally {
        database.close();
      }
    } catch (error) {
      this.#end(isDamage(error) ? 'damaged' : 'failed', [errorText(error)]);
    }
  }

  close(): void {
    const child = this.#child;
    this.#child = null;
    child?.kill();
  }

  #take(line: string): void {
    const report = readReport(line);
    if (report === null) return;
    const { kind, done, total, problems } = report;
    this.#view = { ...this.#view, done, total, problems: problems.slice(0, mostProblems) };
    if (kind === 'over') this.#end(problems.length === 0 ? 'sound' : 'damaged', problems);
    else if (kind !== 'part') this.#end(kind, problems);
  }

  #end(state: 'sound' | 'damaged' | 'failed', problems: readonly string[]): void {
    const told = problems.slice(0, mostProblems);
    this.#view = { ...this.#view, state, problems: told, ended_at: toInstant(this.#nowMs()) };
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readReport(line: string): Report | null {
  try {
    return reportSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
