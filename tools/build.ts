// `npm run build` builds dist/ again. `node tools/build.ts --if-stale` does nothing when dist/ is fresh.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '../shared/lib/error-code.ts';
import { bundleSources, bundles, root } from './bundles.ts';
import { fingerprintSources, isFresh } from './freshness.ts';
import { keepCode } from './keep-code.ts';

const dist = join(root, 'dist');
const lockWaitMs = 120_000;
// A running agent may still load a chunk of the build it started from, so an automatic build leaves recent ones alone.
const oldChunksKeptMs = 24 * 3_600_000;

const { values: flags } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } });
mkdirSync(dist, { recursive: true });
try {
  await withBuildLock(async () => {
    // Taken before the build: a file changed while it runs makes the next check find dist/ stale.
    const fingerprint = fingerprintSources(root, bundleSources);
    if (flags['if-stale'] && isFresh(dist, fingerprint)) return; // Another process has just built it.
    await buildAndPublish(fingerprint);
  });
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`);
  process.exitCode = 1;
}

// One build at a time, by an SQLite lock: the operating system frees it when its holder dies, however it dies.
async function withBuildLock(work: () => Promise<void>): Promise<void> {
  const { default: Database } = await import('better-sqlite3');
  const lock = new Database(join(dist, '.build-lock'), { timeout: lockWaitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    await work();
  } finally {
    lock.close();
  }
}

async function buildAndPublish(fingerprint: string): Promise<void> {
  const startedAt = performance.now();
  for (const name of readdirSync(dist)) {
    if (name.startsWith('.building-')) rmSync(join(dist, name), { recursive: true, force: true });
  }
  const staging = mkdtempSync(join(dist, '.building-'));
  try {
    const { build } = await import('vite');
    for (const bundle of bundles) await build(bundle.config(staging));
    await keepCode(staging).catch((error: unknown) => {
      process.stderr.write(`A start will take longer: its rehearsal failed. ${errorText(error)}\n`);
    });
    publish(
      staging,
      bundles.map((bundle) => bundle.output),
      fingerprint,
    );
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  const names = bundles.map((bundle) => bundle.name).join(', ') || 'nothing: no entry file stands yet';
  process.stderr.write(`Built ${names} in ${Math.round(performance.now() - startedAt)} ms.\n`);
}

// Each file is moved into place by one rename, entries last: whoever starts meanwhile finds a whole program, old or new.
function publish(staging: string, entries: readonly string[], fingerprint: string): void {
  const outputs = filesUnder(staging).sort(
    (left, right) => Number(entries.includes(left)) - Number(entries.includes(right)),
  );
  rmSync(join(dist, '.stamp.json'), { force: true });
  for (const output of outputs) {
    mkdirSync(dirname(join(dist, output)), { recursive: true });
    renameSync(join(staging, output), join(dist, output));
  }
  const current = new Set(outputs);
  const keptSince = flags['if-stale'] ? Date.now() - oldChunksKeptMs : Number.POSITIVE_INFINITY;
  const folders = new Set(outputs.map((output) => output.split('/')[0]));
  for (const file of filesUnder(dist)) {
    if (current.has(file) || !folders.has(file.split('/')[0])) continue;
    if (statSync(join(dist, file)).mtimeMs < keptSince) rmSync(join(dist, file));
  }
  const stamp = join(staging, '.stamp.json');
  writeFileSync(stamp, JSON.stringify({ fingerprint, outputs }));
  renameSync(stamp, join(dist, '.stamp.json'));
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}
