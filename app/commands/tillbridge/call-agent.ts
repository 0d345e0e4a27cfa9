import { findRunningAgent } from '../../running-agent.ts';
import { fileSecretStore, readBridgeToken } from '../../secrets.ts';

/** The bridge of a running agent, called with its own token. Paths begin after `/v1`. */
export interface AgentCaller {
  readonly baseUrl: string;
  get(path: string): Promise<AgentAnswer>;
  post(path: string, body: unknown): Promise<AgentAnswer>;
}

export interface AgentAnswer {
  readonly status: number;
  readonly body: unknown;
}

const answerTimeoutMs = 20_000;
const aliveTimeoutMs = 5_000;

/** @returns null when no agent answers for that data folder. @throws SecretsError */
export async function callAgent(dataDir: string): Promise<AgentCaller | null> {
  const agent = findRunningAgent(dataDir);
  const token = agent === null ? null : await readBridgeToken(fileSecretStore(dataDir));
  if (agent === null || token === null) return null;
  const ask = async (path: string, init: RequestInit): Promise<AgentAnswer> => {
    const response = await fetch(`${agent.base_url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return { status: response.status, body: await response.json() };
  };
  try {
    const alive = await fetch(new URL('/healthz', agent.base_url), { signal: AbortSignal.timeout(aliveTimeoutMs) });
    if (!alive.ok) return null;
  } catch {
    return null;
  }
  return {
    baseUrl: agent.base_url,
    get: (path) => ask(path, {}),
    post: (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}
