import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextFile, writePrivateBytes, writePrivateFile } from '../machine/files.ts';
import { rmSync } from '../machine/held-files.ts';
import { feedName, signatureName } from './feed.ts';

/** Why the launcher went back: the new version ended before it was ready, or was not ready in time. */
export const wayBackReasons = ['died', 'not_ready'] as const;

const wentBackSchema = z.lazy(() =>
  z.object({
    from: z.string(),
    to: z.string(),
    why: z.enum(wayBackReasons),
    at_ms: z.number(),
    /** The database before was put back: the one of the new version could not be read. */
    restored: z.boolean(),
    /** The audit log has it. */
    noted: z.boolean(),
  }),
);
export type WentBack = z.output<typeof wentBackSchema>;

const notInstalledSchema = z.lazy(() =>
  z.object({
    version: z.string(),
    reason: z.string(),
    /** From then on it is tried again by itself; null: a person has to ask for it. */
    again_at_ms: z.number().nullable().default(null),
  }),
);
export type NotInstalled = z.output<typeof notInstalledSchema>;

const stateSchema = z.lazy(() =>
  z.object({
    newest_signed_at_ms: z.number().nullable().default(null),
    failed_versions: z.array(z.string()).default([]),
    went_back: wentBackSchema.nullable().default(null),
    /** The last installation, when it did not come about. Null after one that did. */
    not_installed: notInstalledSchema.nullable().default(null),
  }),
);
type UpdateMemory = z.output<typeof stateSchema>;

/** Everything about updates is in this folder of the data folder. */
export function updatesFolder(dataDir: string): string {
  return join(dataDir, 'updates');
}

/** What the launcher looks at (packaging/linux/tillbridge): there while a new version is on trial. */
export function trialPath(dataDir: string): string {
  return join(updatesFolder(dataDir), 'trial');
}

/** What the launcher makes of it when it has gone back. */
export function wentBackPath(dataDir: string): string {
  return join(updatesFolder(dataDir), 'went-back');
}

/** The copies of the databases, made before the last installation. */
export function copiesFolder(dataDir: string): string {
  return join(updatesFolder(dataDir), 'before');
}

/** The till was closed for it once already: it is not closed again at once. */
const againAfterMs = 3_600_000;

/** @param failed.isPassing another program was in the way at that moment @throws what the file system says */
export function noteNotInstalled(
  dataDir: string,
  failed: {
    readonly version: string;
    readonly reason: string;
    readonly isPassing: boolean;
    readonly nowMs: number;
  },
): void {
  const { version, reason, isPassing, nowMs } = failed;
  const again = isPassing ? nowMs + againAfterMs : null;
  changeUpdateMemory(dataDir, { not_installed: { version, reason, again_at_ms: again } });
}

/** What is handed to the installer. */
export function nextFolder(dataDir: string): string {
  return join(updatesFolder(dataDir), 'next');
}

const memoryPath = (dataDir: string): string => join(updatesFolder(dataDir), 'state.json');

export function readUpdateMemory(dataDir: string): UpdateMemory {
  try {
    return stateSchema.parse(JSON.parse(readTextFile(memoryPath(dataDir)) ?? '{}'));
  } catch {
    return stateSchema.parse({});
  }
}

/** @throws what the file system says */
export function changeUpdateMemory(dataDir: string, change: Partial<UpdateMemory>): UpdateMemory {
  const memory = { ...readUpdateMemory(dataDir), ...change };
  writePrivateFile(memoryPath(dataDir), `${JSON.stringify(memory)}\n`);
  return memory;
}

/** What the installer is given beside the package: it looks at the signature itself. @throws what the file system says */
export function keepFeed(
  dataDir: string,
  platform: string,
  { bytes, signature }: { readonly bytes: Uint8Array; readonly signature: string },
): void {
  const feed = feedName(platform);
  writePrivateBytes(join(nextFolder(dataDir), feed), bytes);
  writePrivateFile(join(nextFolder(dataDir), signatureName(feed)), signature);
}

const trialSchema = z.lazy(() => z.object({ from: z.string(), to: z.string() }));
export type Trial = z.output<typeof trialSchema>;

/** @param pid of the window that installs: the launcher waits until it has ended @throws what the file system says */
export function writeTrial(dataDir: string, { from, to }: Trial, pid: number): void {
  rmSync(join(updatesFolder(dataDir), 'trial-starts'), { force: true });
  rmSync(wentBackPath(dataDir), { force: true });
  writePrivateFile(trialPath(dataDir), `pid=${pid}\nfrom=${from}\nto=${to}\n`);
}

export function readTrial(dataDir: string): Trial | null {
  return readLines(trialPath(dataDir), trialSchema);
}

/**
 * For a person who looks later why a version on trial did not start: into the launcher's log.
 *
 * @returns whether a version is on trial
 */
export function noteInTrial(dataDir: string, words: string): boolean {
  if (!existsSync(trialPath(dataDir))) return false;
  try {
    appendFileSync(join(updatesFolder(dataDir), 'launcher.log'), `${words}\n`, { mode: 0o600 });
  } catch {
    // It was said on standard error, too.
  }
  return true;
}

export function removeTrial(dataDir: string): void {
  rmSync(trialPath(dataDir), { force: true });
}

const wayBackSchema = z.lazy(() => trialSchema.unwrap().extend({ why: z.enum(wayBackReasons) }));

export function readWentBack(dataDir: string): (Trial & Pick<WentBack, 'why'>) | null {
  return readLines(wentBackPath(dataDir), wayBackSchema);
}

/** Lines of `name=value`: a shell reads and writes them, too. */
function readLines<Value>(path: string, schema: z.ZodType<Value>): Value | null {
  const text = readTextFile(path);
  if (text === null) return null;
  const entries = text.split('\n').map((line) => line.split('=', 2));
  const parsed = schema.safeParse(Object.fromEntries(entries));
  return parsed.success ? parsed.data : null;
}
