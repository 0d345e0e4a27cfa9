import { randomBytes } from 'node:crypto';
import { toInstant } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
import { type FileLayers, keepAsLastGood } from '../config/last-good.ts';
import { keepLastStart } from '../config/last-start.ts';
import type { Settings } from '../config/settings.ts';
import { isAgentAnswering } from '../http/running-agent.ts';
import { systemClock } from '../machine/clock.ts';
import { keepSecretsFile } from '../machine/kept-secrets.ts';
import { DataFolderInUseError, lockDataFolder } from '../machine/lock.ts';
import type { Log } from '../machine/log.ts';
import { keptOfficeSecret, type SecretStore } from '../machine/secrets.ts';
import type { OpenedParts } from './opened-parts.ts';

interface FolderStart {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly settingsLayers: FileLayers;
  readonly areSettingsLost: boolean;
  readonly secrets: SecretStore;
  readonly log: Log;
}

interface OpenFolder {
  readonly notices: () => readonly Notice[];
  /** By which this agent is known to the commands of the folder. */
  readonly officeSecret: string;
}

/**
 * Takes the data folder for this process alone.
 *
 * @throws DataFolderInUseError, DataFolderError, SecretsError
 */
export async function openFolder(start: FolderStart, opened: OpenedParts): Promise<OpenFolder> {
  const { dataDir, settings, secrets, log } = start;
  const lock = lockFolder(dataDir, log);
  opened.add(lock.close);
  const officeSecret = await keptOfficeSecret(secrets, randomBytes);
  if (await isAgentAnswering(dataDir, officeSecret)) throw new DataFolderInUseError(dataDir);
  // From here on the folder is this agent's: a start that is refused notes nothing over what the running one goes by.
  if (!start.areSettingsLost) {
    keepAsLastGood(dataDir, start.settingsLayers);
    keepLastStart(dataDir, settings);
  }
  opened.add(
    keepSecretsFile(dataDir, {
      clock: systemClock(),
      onAgain(error) {
        if (error === null) log.warn({}, 'secrets.json was deleted; it is written again');
        else log.error({ error }, 'secrets.json was deleted, and cannot be written again');
      },
      onAnothers: () =>
        log.error({}, "secrets.json is damaged or another till's: move it away; it is written again then"),
    }),
  );
  return { notices: lock.notices, officeSecret };
}

function lockFolder(
  dataDir: string,
  log: Log,
): { readonly notices: () => readonly Notice[]; readonly close: () => void } {
  let taken: Notice | null = null;
  const close = lockDataFolder(dataDir, (isTaken) => {
    const reason = 'agent.lock was deleted, and another agent runs on this data folder';
    taken = isTaken ? { code: 'not_saving', why: 'locked', since: toInstant(systemClock().now()), reason } : null;
    if (isTaken) log.error({}, 'The lock of the data folder was deleted, and another agent has taken the folder');
    else log.info({}, 'The data folder is locked again');
  });
  return { notices: () => (taken === null ? [] : [taken]), close };
}
