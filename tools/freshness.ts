import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a finished build leaves in dist/.stamp.json. */
type BuildStamp = {
  /** Of the sources, as they were when the build began. */
  readonly fingerprint: string;
  /** Every file of this build, relative to dist/. */
  readonly outputs: readonly string[];
};

/** Names, sizes and times of all files under `sources` (relative to `root`), as one hash. A missing source counts as empty. */
export function fingerprintSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) addPath(hash, root, source);
  return hash.digest('hex');
}

/** The stamp of the last whole build, or null when there is none. */
function readStamp(dist: string): BuildStamp | null {
  try {
    const stamp: unknown = JSON.parse(readFileSync(join(dist, '.stamp.json'), 'utf8'));
    return isStamp(stamp) ? stamp : null;
  } catch {
    return null; // None yet, or cut short: either way a build is due.
  }
}

/** Whether dist/ holds a whole build of exactly these sources. */
export function isFresh(dist: string, fingerprint: string): boolean {
  const stamp = readStamp(dist);
  if (stamp?.fingerprint !== fingerprint) return false;
  return stamp.outputs.every((output) => statSync(join(dist, output), { throwIfNoEntry: false }) !== undefined);
}

function addPath(hash: ReturnType<typeof createHash>, root: string, path: string): void {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
    return;
  }
  const entries: Dirent[] = readdirSync(join(root, path), { withFileTypes: true });
  for (const name of entries.map((entry) => entry.name).sort()) addPath(hash, root, `${path}/${name}`);
}

function isStamp(value: unknown): value is BuildStamp {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fingerprint' in value &&
    typeof value.fingerprint === 'string' &&
    'outputs' in value &&
    Array.isArray(value.outputs) &&
    value.outputs.every((output) => typeof output === 'string')
  );
}
