import { createHash } from 'node:crypto';
import BetterSqlite3 from 'better-sqlite3';
import type { StatementWatch } from '../crash/statement-watch.ts';
import { takeFiles } from './frozen-set.ts';
import type { Files } from './home.ts';

/** What a kill can leave on the disk. */
export interface Cut {
  readonly where: string;
  readonly files: Files;
}

/** Of the bytes that a commit writes, so many are there. */
const tornParts = [0.01, 0.4, 0.75, 0.99];

/**
 * Everything that a kill can leave while `work` opens the databases in a folder: before each statement of a
 * transaction, after each commit, and with a commit's write to the log cut off. What is alike is there once.
 */
export function cutsWhile(folder: string, watch: StatementWatch, work: () => void): readonly Cut[] {
  const cuts = new Map<string, Cut>();
  let last = takeFiles(folder);
  let statements = 0;
  const add = (where: string, files: Files) => {
    const digest = digestOf(files);
    if (!cuts.has(digest)) cuts.set(digest, { where, files });
  };
  const look = (where: string) => {
    const files = takeFiles(folder);
    for (const torn of tornCommits(last, files)) add(`within the commit ${where}`, torn);
    add(where, files);
    last = files;
  };
  look('before it is opened');
  const giveBack = runStatementByStatement();
  watch.onStep = ({ sql }) => {
    statements += 1;
    look(`before statement ${statements}: ${sql.replace(/\s+/g, ' ').slice(0, 80)}`);
  };
  watch.onCommitted = () => look(`after statement ${statements}`);
  try {
    work();
    look('at the end');
  } finally {
    watch.onStep = null;
    watch.onCommitted = null;
    giveBack();
  }
  return [...cuts.values()];
}

/** A log that has grown, as it is when only a part of that had been written. */
function tornCommits(before: Files, after: Files): readonly Files[] {
  const torn: Files[] = [];
  for (const [name, bytes] of after) {
    if (!name.endsWith('-wal')) continue;
    const had = before.get(name)?.length ?? 0;
    if (bytes.length <= had) continue;
    for (const part of tornParts) {
      const length = Math.floor(had + (bytes.length - had) * part);
      torn.push(new Map([...before, [name, bytes.subarray(0, length)]]));
    }
  }
  return torn;
}

function digestOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length} `).update(bytes);
  return hash.digest('hex');
}

/** A migration is one text of many statements: from now on each runs, and is seen, by itself. @returns the way back */
function runStatementByStatement(): () => void {
  const prototype: { exec: BetterSqlite3.Database['exec'] } = BetterSqlite3.prototype;
  const original = Object.getOwnPropertyDescriptor(prototype, 'exec');
  if (original === undefined) throw new Error('The driver has no exec');
  prototype.exec = function execOneByOne(this: BetterSqlite3.Database, text: string) {
    for (let rest = text; rest.trim() !== ''; ) {
      const statement = firstStatement(this, rest);
      if (statement === null) break;
      this.prepare(statement).run();
      rest = rest.slice(statement.length);
    }
    return this;
  };
  return () => {
    Object.defineProperty(prototype, 'exec', original);
  };
}

/** Up to the first semicolon that ends one: not within a text, a comment or a trigger. Null: there are only comments. */
function firstStatement(database: BetterSqlite3.Database, text: string): string | null {
  for (let end = text.indexOf(';'); end >= 0; end = text.indexOf(';', end + 1)) {
    const part = text.slice(0, end + 1);
    try {
      database.prepare(part);
      return part;
    } catch (error) {
      const isUnfinished =
        error instanceof Error && /incomplete input|unrecognized token|contains no statements/.test(error.message);
      if (!isUnfinished) throw error;
    }
  }
  if (/^\s*(--[^\n]*\s*)*$/.test(text)) return null;
  return text;
}
