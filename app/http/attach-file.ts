import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../shared/lib/error-code.ts';
import { readTextFile, writePassingFile } from '../machine/files.ts';
import { rmSync } from '../machine/held-files.ts';
import { hmac } from './hmac.ts';

const attachFactsSchema = z.object({
  port: z.int().min(1).max(65_535),
  pid: z.int(),
  version: z.string(),
  /** In hexadecimal digits, of this run of the agent: whoever can read it may open a cashier's window. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
});
/** How a window reaches an agent that runs in another process. */
export type AttachFacts = z.infer<typeof attachFactsSchema>;

/** The request that becomes the line of an attached window. */
export const attachPath = '/v1/agent/window';

/** What a window calls itself: its login, for the audit log, and a number that nobody else has. */
export const windowNameShape = /^window\.[\w-]{1,24}\.[0-9a-f]{16}$/;

/** What both ends of the line name, so that nobody can pass the words on to an agent elsewhere. */
export function attachOrigin(port: number): string {
  return `tillbridge-window://127.0.0.1:${port}`;
}

/** Of one window alone: what it proves itself by. In hexadecimal digits. */
export function windowSecret(key: string, name: string): string {
  return hmac(key, `tillbridge window\n${name}`);
}

export type FoundAttach =
  | { readonly kind: 'found'; readonly facts: AttachFacts }
  | { readonly kind: 'absent' }
  /** This user may not read it. */
  | { readonly kind: 'denied' };

function path(folder: string): string {
  return join(folder, 'attach.json');
}

/**
 * @param folder one that whoever may use the till can enter, and nobody else
 * @param options.isForGroup of the folder's users, and not of its owner alone
 */
export function tellWindows(
  folder: string,
  facts: AttachFacts,
  { isForGroup }: { readonly isForGroup: boolean },
): void {
  writePassingFile(path(folder), `${JSON.stringify(facts)}\n`);
  if (isForGroup) chmodSync(path(folder), 0o640);
}

export function forgetWindows(folder: string): void {
  rmSync(path(folder), { force: true });
}

/** What an agent has told windows in a folder; left behind when it was killed. */
export function findAttach(folder: string): FoundAttach {
  try {
    return { kind: 'found', facts: attachFactsSchema.parse(JSON.parse(readTextFile(path(folder)) ?? 'null')) };
  } catch (error) {
    const code = errorCode(error);
    return { kind: code === 'EACCES' || code === 'EPERM' ? 'denied' : 'absent' };
  }
}
