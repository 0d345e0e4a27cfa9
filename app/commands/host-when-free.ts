import { setTimeout as pause } from 'node:timers/promises';
import { isAgentAnswering } from '../http/running-agent.ts';
import { fileSecretStore, readOfficeSecret } from '../machine/secrets.ts';
import { dataDirOf } from './agent-flags.ts';
import { type HostOptions, type HostOutcome, hostAgent } from './host.ts';
import { folderWaitMs } from './tillbridge/out-of-reach.ts';

/** Between two tries to take the folder, and of a service to take its port. */
const folderLookMs = 500;
const portLookMs = 2_000;

/**
 * A service waits while a command (or another agent) has the folder, or any program the port: whoever keeps the service
 * running takes "wrong use" and "out of reach" for something that only a person can change.
 *
 * @returns null when it was stopped while it waited
 */
export async function hostWhenFree(options: HostOptions, stopped: Promise<unknown>): Promise<HostOutcome | null> {
  const stop = following(stopped);
  let told = '';
  for (let takenPort: number | null = null; !stop.isAsked; ) {
    const outcome = await hostAgent({ ...options, takenPort });
    if (outcome.kind === 'running') return outcome;
    takenPort = outcome.takenPort ?? null;
    if (takenPort === null && outcome.isFolderInUse !== true) return outcome;
    const line = `${outcome.problems.join('\n')} Waiting until it is free.\n`;
    if (line !== told) process.stderr.write(line);
    told = line;
    await Promise.race([pause(takenPort === null ? folderLookMs : portLookMs), stopped]);
  }
  return null;
}

/**
 * Waits a few seconds for the folder where no agent answers for it: a command of store IT has it for as long as it works
 * on it, and a till must not stay down for that.
 *
 * @returns null when it was stopped while it waited
 */
export async function hostAfterCommands(options: HostOptions, stopped: Promise<unknown>): Promise<HostOutcome | null> {
  const stop = following(stopped);
  const lastTryAt = performance.now() + folderWaitMs;
  while (!stop.isAsked) {
    const outcome = await hostAgent(options);
    if (outcome.kind === 'running' || outcome.isFolderInUse !== true || performance.now() > lastTryAt) return outcome;
    const dataDir = dataDirOf(options.values, options.environment);
    const secrets = (options.secretsOf ?? fileSecretStore)(dataDir);
    if (await isAgentAnswering(dataDir, await readOfficeSecret(secrets))) return outcome;
    await Promise.race([pause(folderLookMs), stopped]);
  }
  return null;
}

function following(stopped: Promise<unknown>): { readonly isAsked: boolean } {
  const stop = { isAsked: false };
  void stopped.then(() => {
    stop.isAsked = true;
  });
  return stop;
}
