import type { Mode } from '../../../shared/till/modes.ts';
import { goneDatabase } from '../../doctor/gone-database.ts';
import { hasDatabase } from '../../machine/data-files.ts';
import { isDataFolderInUse } from '../../machine/lock.ts';
import { adviceOnLostSecrets, areSecretsLost, type SecretStore } from '../../machine/secrets.ts';

/** Why a command cannot do its work; the line is for whoever typed it. */
export class OutOfReachError extends Error {}

/** The full disk is that of a file which the command was to write, and not the till's own. */
export class FullElsewhereError extends OutOfReachError {}

/** So long a command waits for a folder that another process has: a command has it for as long as it works on it. */
export const folderWaitMs = 5_000;

/**
 * Somebody has the data folder, and no agent can be reached there: it hangs, or what says where it is was deleted or
 * damaged, or it is another command, which takes long.
 */
export function silentHolder(dataDir: string, cause?: unknown): OutOfReachError {
  const advice =
    'Try again in a minute: an agent writes a missing agent.json again. Should that not help, end the agent and start it again.';
  return new OutOfReachError(`An agent or another command has ${dataDir}, and does not answer. ${advice}`, { cause });
}

/**
 * A command that works on a till without its agent must not make new secrets in the place of those that are gone.
 *
 * @param facts.isLockedHere this process has the folder, so no agent does
 * @throws OutOfReachError, SecretsError
 */
export async function refuseLostSecrets(
  dataDir: string,
  secrets: SecretStore,
  { isLockedHere = false }: { readonly isLockedHere?: boolean } = {},
): Promise<void> {
  if (!(await areSecretsLost(secrets))) return;
  const isInUse = !isLockedHere && isDataFolderInUse(dataDir);
  throw new OutOfReachError(`${dataDir} has lost its secrets.json. ${adviceOnLostSecrets(dataDir, { isInUse })}.`);
}

/**
 * A command for which a till has to have sold.
 *
 * @param otherwise what is said where no agent ever ran
 * @throws OutOfReachError
 */
export function requireDatabase(dataDir: string, mode: Mode, otherwise: string): void {
  if (hasDatabase(dataDir, mode)) return;
  const gone = goneDatabase(dataDir, mode);
  throw new OutOfReachError(gone === null ? otherwise : `${dataDir}: ${gone.says}. ${gone.advice}.`);
}
