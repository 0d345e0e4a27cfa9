import { isDataFolderInUse } from '../../machine/lock.ts';
import { adviceOnLostSecrets, areSecretsLost, type SecretStore } from '../../machine/secrets.ts';

/** Why a command cannot do its work; the line is for whoever typed it. */
export class OutOfReachError extends Error {}

/** The full disk is that of a file which the command was to write, and not the till's own. */
export class FullElsewhereError extends OutOfReachError {}

/** An agent has the data folder, and nobody can reach it: it hangs, or what says where it is was deleted or damaged. */
export function silentAgent(dataDir: string, cause?: unknown): OutOfReachError {
  const advice =
    'Try again in a minute: it writes a missing agent.json again. Should that not help, end it and start it again.';
  return new OutOfReachError(`The agent of ${dataDir} runs and does not answer. ${advice}`, { cause });
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
  const isRunning = !isLockedHere && isDataFolderInUse(dataDir);
  throw new OutOfReachError(`${dataDir} has lost its secrets.json. ${adviceOnLostSecrets(dataDir, { isRunning })}.`);
}
