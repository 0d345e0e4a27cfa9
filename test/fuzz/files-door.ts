import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { loadSettings } from '../../app/config/load-settings.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { BackupError, type BackupTrust, backUp, readBackup, restoreBackup } from '../../app/store/copies/backup.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { StoreError } from '../../app/store/versions/store-error.ts';
import { newRow, rowTimeMs } from '../support/core-rows.ts';
import { hostileValue, mutated, mutation } from '../support/schema-arbitrary.ts';
import { byteEdit, edited } from './bytes.ts';
import type { BatchOutcome, Door } from './doors.ts';

const nowMs = rowTimeMs + 3_600_000;
const tillKey = Buffer.alloc(32, 5);
const options = { random: systemRandom(), nowMs };
const mode = 'sandbox';

/** What a shop's settings file says. */
const goodSettings = {
  mode: 'production',
  base_url: 'https://loyalty.example/v1',
  api_key: 'loyalty_pk_live_fuzz',
  device_name: 'Till 1',
  limits: { max_points: 500, confirm_above_minor: null },
  bridge: { port: 7425, origins: ['https://pos.example'] },
  enroll_templates: ['tpl_coffee=Coffee'],
  time_zone: 'Asia/Kuwait',
};

const settingsBytes = fc
  .record({ changes: fc.array(mutation, { maxLength: 3 }), edits: fc.array(byteEdit, { maxLength: 2 }) })
  .map(({ changes, edits }) => {
    const changed = changes.reduce<unknown>((value, change) => mutated(value, change), goodSettings);
    return edits.reduce(edited, Buffer.from(JSON.stringify(changed) ?? ''));
  });

/** A page is 4096 bytes: the places reach every one of them. */
const backupEdits = fc.array(fc.record({ edit: byteEdit, page: fc.nat(60), isInHead: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

/** Rows that somebody has changed with a viewer of databases, past all checks of their columns. */
const rowEdits = fc.array(
  fc.record({
    table: fc.nat(30),
    column: fc.nat(60),
    row: fc.nat(12),
    value: fc.oneof(
      hostileValue,
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.uint8Array({ maxLength: 20 }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);
type RowEdit = (typeof rowEdits extends fc.Arbitrary<infer Edits extends readonly unknown[]> ? Edits : never)[number];

/** Files that are read by an agent at its start, and by a restore. They are read in this very process. */
export async function openFilesDoor(): Promise<Door> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-files-'));
  const good = join(folder, 'good.backup');
  const own = join(folder, 'own.sqlite');
  await makeGoodFiles(own, good);
  return {
    async play({ seed, count }): Promise<BatchOutcome> {
      const tally: Record<string, number> = {};
      const problems: string[] = [];
      const note = (name: string) => {
        tally[name] = (tally[name] ?? 0) + 1;
      };
      for (const [index, bytes] of fc.sample(settingsBytes, { seed, numRuns: count }).entries()) {
        const problem = readSettingsFile(folder, bytes, note);
        if (problem !== null) problems.push(`settings ${index}: ${problem}`);
      }
      for (const [index, edits] of fc.sample(backupEdits, { seed, numRuns: Math.ceil(count / 10) }).entries()) {
        const original = readFileSync(good);
        const bytes = edits.reduce<Buffer>(
          (rest, { edit, page, isInHead }) =>
            edited(rest, { ...edit, at: isInHead ? edit.at % 100 : edit.at + page * 4_096 }),
          original,
        );
        const problem = await restoreFile(folder, { own, good, bytes, isProven: index % 5 === 0 }, note);
        if (problem !== null) problems.push(`backup ${index}: ${problem}`);
      }
      for (const [index, edits] of fc.sample(rowEdits, { seed, numRuns: Math.ceil(count / 10) }).entries()) {
        const bytes = withRows(join(folder, 'changed.backup'), good, edits);
        const problem = await restoreFile(folder, { own, good, bytes, isProven: index % 5 === 0 }, note);
        if (problem !== null) problems.push(`rows ${index}: ${problem}`);
      }
      return { tally, problems };
    },
    async memory() {
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, external, rss } = process.memoryUsage();
      return { heapBytes: heapUsed + external, rssBytes: rss };
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function withRows(file: string, good: string, edits: readonly RowEdit[]): Buffer {
  copyFileSync(good, file);
  const database = new BetterSqlite3(file);
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('ignore_check_constraints = ON');
    database.pragma('foreign_keys = OFF');
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).pluck().all();
    for (const { table, column, row, value } of edits) {
      const name = String(tables[table % tables.length]);
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name);
      const changed = `UPDATE "${name}" SET "${String(columns[column % columns.length])}" = ? WHERE rowid = ?`;
      try {
        database.prepare(changed).run(asSql(value), row);
      } catch {
        // Not of the column's type, a key that is there already, or a table without row ids: it stays as it was.
      }
    }
  } finally {
    database.close();
  }
  return readFileSync(file);
}

function asSql(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}

/** Of the till alone: the backup was made before. */
const ownRow = 9;

/** A till's own database, and a backup that has rows of another day. */
async function makeGoodFiles(own: string, good: string): Promise<void> {
  const before = openOrRecover(own, options);
  await before.writer.urgent(() => {
    for (let row = 1; row < ownRow; row += 1) before.operations.insert(newRow(row));
  });
  before.close();
  await backUp(own, good, { mode, nowMs, tillKey });
  const after = openOrRecover(own, options);
  await after.writer.urgent(() => after.operations.insert(newRow(ownRow)));
  after.close();
}

/** Any bytes are settings, or are refused with a line that tells which field, and never end the program. */
function readSettingsFile(folder: string, bytes: Buffer, note: (name: string) => void): string | null {
  const dataDir = mkdtempSync(join(folder, 'till-'));
  const managedFile = join(dataDir, 'managed.json');
  writeFileSync(managedFile, bytes);
  writeFileSync(join(dataDir, 'settings.json'), bytes);
  try {
    const loaded = loadSettings({ dataDir, flags: {}, environment: {}, managedFile });
    note(`settings ${loaded.kind}`);
    if (loaded.kind === 'refused') {
      return loaded.problems.length > 0 && loaded.problems.every((line) => line.length < 2_000)
        ? null
        : `no line that a person can read: ${JSON.stringify(loaded.problems).slice(0, 500)}`;
    }
    return settingsSchema.safeParse(loaded.settings).success ? null : 'loaded what the schema refuses';
  } catch (error) {
    return `threw ${String(error)} for ${bytes.toString('latin1').slice(0, 1_000)}`;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** A backup of any bytes is restored or refused; the till's own sale is there afterwards, once. */
async function restoreFile(
  folder: string,
  given: { readonly own: string; readonly good: string; readonly bytes: Buffer; readonly isProven: boolean },
  note: (name: string) => void,
): Promise<string | null> {
  const till = mkdtempSync(join(folder, 'till-'));
  const path = join(till, 'sandbox.sqlite');
  const file = join(till, 'till.backup');
  copyFileSync(given.own, path);
  copyFileSync(`${given.good}.mac`, `${file}.mac`);
  writeFileSync(file, given.bytes);
  const trust: BackupTrust = given.isProven ? { kind: 'proven', tillKey } : { kind: 'from_elsewhere' };
  const isChanged = !given.bytes.equals(readFileSync(given.good));
  try {
    const kind = attempt(file, path, trust);
    note(`backup ${kind}`);
    if (kind === 'restored' && given.isProven && isChanged) return 'a changed file was taken for our own';
    const store = openOrRecover(path, options);
    const [reference, ...more] = store.operations
      .operationsByReference(`R-${ownRow}`)
      .map(({ externalRef }) => externalRef);
    store.close();
    if (reference === undefined || more.length > 0) return `the till's own sale is there ${more.length} times more`;
    return existsSync(`${path}.restoring`) || existsSync(`${path}.restoring-copy`) ? 'scratch files were left' : null;
  } catch (error) {
    return error instanceof Error ? `threw ${error.stack}` : String(error);
  } finally {
    rmSync(till, { recursive: true });
  }
}

function attempt(file: string, path: string, trust: BackupTrust): 'restored' | 'refused' {
  try {
    readBackup(file);
    restoreBackup(file, path, { ...options, mode, trust });
    return 'restored';
  } catch (error) {
    if (error instanceof BackupError || error instanceof StoreError) return 'refused';
    throw error;
  }
}
