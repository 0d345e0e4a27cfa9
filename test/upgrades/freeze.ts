// `npm run freeze`: makes the frozen database of the schema that this program has; of another commit when one is named.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FrozenSet, takeFiles, writeFrozenSet } from './frozen-set.ts';
import { leaveOpen } from './open-story.ts';
import { loadProgram } from './program.ts';
import { liveThroughDays } from './settled-story.ts';
import { ProgramShop } from './shop.ts';
import { TillActs } from './till-acts.ts';

const root = join(import.meta.dirname, '..', '..');
const usage = `Usage: npm run freeze [-- COMMIT]

Runs a till and its sandbox service through days of sales, kills them with sales in every state, and keeps their
database files in test/upgrades/frozen. Without COMMIT the program is this one, as its files are now.
`;

const [commit = null, ...others] = process.argv.slice(2);
if (commit?.startsWith('-') || others.length > 0) {
  process.stdout.write(usage);
  process.exit(commit === '--help' ? 0 : 2);
}
const scratch = mkdtempSync(join(tmpdir(), 'tillbridge-freeze-'));
try {
  const program = commit === null ? root : checkOut(commit);
  const set = await freeze(program, commit);
  const path = writeFrozenSet(set);
  process.stdout.write(`${relative(process.cwd(), path)}: ${states(set)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
// What was held on the line is never answered.
await sleep(100);
process.exit(0);

function checkOut(named: string): string {
  const folder = join(scratch, 'program');
  mkdirSync(folder);
  const archive = execFileSync('git', ['-C', root, 'archive', named], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function freeze(programRoot: string, commitName: string | null): Promise<Omit<FrozenSet, 'name'>> {
  const program = await loadProgram(programRoot);
  const { schema, serviceSchema } = program;
  const shop = new ProgramShop(program, {
    folder: join(scratch, 'till'),
    startsAtMs: Date.parse('2026-11-18T09:00:00.000Z'),
  });
  shop.start();
  const till = new TillActs(shop);
  await liveThroughDays(till, schema);
  // What is settled stands in the database itself, what is open in its log.
  await shop.stop();
  shop.start();
  await till.untilLine(true);
  await leaveOpen(till, schema);
  const files = takeFiles(shop.folder);
  return {
    schema,
    serviceSchema,
    commit: commitName,
    frozenAtMs: shop.clock.now(),
    serviceStarts: 2,
    told: shop.core.recentOperations({ limit: 1_000 }).map((operation) => ({
      operation: { ...operation },
      history: shop.core.history(operation.rowId).map((entry) => ({ ...entry })),
    })),
    files,
  };
}

/** What it holds, for whoever made it to look at. */
function states({ told }: Pick<FrozenSet, 'told'>): string {
  const counts = new Map<string, number>();
  for (const { operation } of told) {
    const key = `${String(operation.intent)} ${String(operation.state)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([key, count]) => `${count} ${key}`)
    .join(', ');
}
