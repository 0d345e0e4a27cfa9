import { randomBytes } from 'node:crypto';
import type { Audit } from '../audit/audit-events.ts';
import { forgetWindows, tellWindows } from '../http/attach-file.ts';
import type { LoopbackServer } from '../http/loopback-server.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import { acceptWindows } from '../web/attached-windows.ts';
import type { TillOpener } from './open-till.ts';

interface WindowsStart {
  readonly dataDir: string;
  /** Where windows of other users look; null for those of this user alone. */
  readonly attachFolder: string | null;
  readonly version: string;
  readonly log: Log;
}

/** Lets windows of other processes attach, and tells them how. @returns ends it */
export function openWindows(
  { dataDir, attachFolder, version, log }: WindowsStart,
  { server, tills, audit }: { readonly server: LoopbackServer; readonly tills: TillOpener; readonly audit: Audit },
): () => Promise<void> {
  // Of this run: whoever may not open a window any more is kept out by a restart.
  const key = randomBytes(32).toString('hex');
  const windows = acceptWindows({ server, key, tillMaker: tills.maker, clock: systemClock(), audit });
  const facts = { port: server.port, pid: process.pid, version, key };
  const folders = attachFolder === null ? [dataDir] : [dataDir, attachFolder];
  for (const folder of folders) {
    try {
      tellWindows(folder, facts, { isForGroup: folder === attachFolder });
    } catch (error) {
      // Sales go on for POS programs.
      log.error({ error, folder }, 'No window can find this agent');
    }
  }
  return async () => {
    for (const folder of folders) forgetWindows(folder);
    await windows.close();
  };
}
