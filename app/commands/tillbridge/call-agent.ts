import { setTimeout as pause } from 'node:timers/promises';
import { type AgentAnswer, type AgentQuestion, openProvenLine } from '../../http/proven-line.ts';
import { findRunningAgent } from '../../http/running-agent.ts';
import { isDataFolderInUse, isDataFolderLocked } from '../../machine/lock.ts';
import { fileSecretStore, readBridgeToken, readOfficeSecret } from '../../machine/secrets.ts';
import { folderWaitMs, OutOfReachError, refuseLostSecrets, silentHolder } from './out-of-reach.ts';

/** The agent asks nobody for it. */
const statusTimeoutMs = 20_000;
/**
 * An agent that has just proven that it lives may ask the service, or the feed of updates, several times for one call, and
 * wait each time for as long as they are waited for.
 */
const officeTimeoutMs = 180_000;

/** The bridge of a running agent that has proven who it is. */
interface AgentCaller {
  readonly baseUrl: string;
  /** `GET /v1/agent/status`. */
  status(): Promise<unknown>;
  /** A call of the table of the office (app/office/office.ts). */
  office(name: string, input: unknown): Promise<AgentAnswer>;
}

/**
 * Each call has a connection of its own, and sends nothing before the agent at its other end has proven that it has the
 * secret of the data folder: see openProvenLine.
 *
 * @returns null when no agent answers for that data folder
 * @throws SecretsError, OutOfReachError
 */
export async function callAgent(dataDir: string): Promise<AgentCaller | null> {
  const agent = findRunningAgent(dataDir);
  if (agent === null) return null;
  const secrets = fileSecretStore(dataDir);
  const [secret, token] = [await readOfficeSecret(secrets), await readBridgeToken(secrets)];
  if (secret === null || token === null) {
    // It can prove itself to nobody, however well it runs.
    if (isDataFolderLocked(dataDir)) await refuseLostSecrets(dataDir, secrets);
    return null;
  }
  const first = await openProvenLine(agent, secret);
  if (first === null) return null;
  first.close();
  if (!isDataFolderLocked(dataDir)) {
    throw new OutOfReachError(`The agent of ${dataDir} has lost its agent.lock. Try again in a few seconds.`);
  }
  const ask = async (path: string, question: AgentQuestion) => {
    const line = await openProvenLine(agent, secret);
    if (line === null) throw new OutOfReachError(`The agent of ${dataDir} has ended.`);
    try {
      return await line.ask(path, question);
    } catch (cause) {
      throw new OutOfReachError(`The agent of ${dataDir} does not answer.`, { cause });
    } finally {
      line.close();
    }
  };
  return {
    baseUrl: `http://127.0.0.1:${agent.port}/v1`,
    status: async () => (await ask('/v1/agent/status', { token, timeoutMs: statusTimeoutMs })).body,
    office: (name, input) =>
      ask(`/v1/agent/office/${name}`, { token: secret, body: input, timeoutMs: officeTimeoutMs }),
  };
}

const folderLookMs = 200;

/**
 * As `callAgent`; while somebody has the folder and does not answer (a command that works on it, an agent that is
 * starting) it waits a little.
 *
 * @returns null when nobody has the folder
 * @throws SecretsError, OutOfReachError
 */
export async function callAgentWhenFree(dataDir: string): Promise<AgentCaller | null> {
  // By the clock: one call of an agent that hangs takes as long as all of the wait.
  const lastLookAt = performance.now() + folderWaitMs - folderLookMs;
  for (;;) {
    const agent = await callAgent(dataDir);
    if (agent !== null || !isDataFolderInUse(dataDir)) return agent;
    if (performance.now() > lastLookAt) throw silentHolder(dataDir);
    await pause(folderLookMs);
  }
}
