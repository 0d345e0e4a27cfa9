import { randomBytes } from 'node:crypto';
import { createBridge } from '../../app/bridge/bridge.ts';
import { createEvents } from '../../app/bridge/events.ts';
import { PosTokens } from '../../app/bridge/pos-tokens.ts';
import { serveBridge } from '../../app/bridge/serve.ts';
import { checkAgainst, type PosToken, underPrefixes } from '../../app/bridge/tokens.ts';
import type { AgentCore } from '../../app/core/agent-core.ts';
import { officeProof } from '../../app/http/office-proof.ts';
import type { SecretStore } from '../../app/machine/secrets.ts';
import { createOffice } from '../../app/office/office.ts';
import type { OfficeSessions } from '../../app/office/office-sessions.ts';
import { FakeCore } from './fake-core.ts';
import { noSettings } from './fake-settings.ts';

export const localToken = 'tb_local_test';
export const officeSecret = 'tb_office_test';
export const listedOrigin = 'https://pos.example';

/** The first one, a POS program's without a prefix, one whose references begin with `B-`, and one that shares. */
const testTokens: readonly PosToken[] = [
  { name: 'main', token: localToken, referencePrefix: '', reach: 'own_and_screen' },
  { name: 'second', token: 'tb_local_second', referencePrefix: '', reach: 'own' },
  { name: 'prefixed', token: 'tb_local_prefixed', referencePrefix: 'B-', reach: 'own' },
  { name: 'shared', token: 'tb_local_shared', referencePrefix: 'S-', reach: 'all' },
];

/** No screen is served. */
const noSessions: OfficeSessions = { list: () => [], end: () => false, open: () => null };

/** Secrets that are gone with the test. */
export function memorySecrets(): SecretStore {
  const kept = new Map<string, string>();
  return {
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
    async change(changes) {
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) kept.delete(name);
        else kept.set(name, value);
      }
    },
  };
}

export interface BridgeUnderTest {
  readonly core: FakeCore;
  readonly port: number;
  readonly faults: unknown[];
  /** A call with the local token and JSON, unless `init` says otherwise. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<BridgeReply>;
  /** Takes a token of the test's back, by its name. */
  revoke(name: string): void;
  /** From now on it sees its own operations alone. */
  unshare(name: string): void;
  close(): Promise<void>;
}

export interface BridgeReply {
  readonly status: number;
  readonly headers: Headers;
  /** Whatever JSON came: a test looks into it as it likes. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** A bridge over a real socket in front of a core in memory. */
export async function startBridge(core = new FakeCore()): Promise<BridgeUnderTest> {
  return { core, ...(await serveCore(core)) };
}

/** No two of a test's bridges give out the same id: a core takes that for the same press. */
let operationCount = 0;

/** A bridge over a real socket in front of any core. */
export async function serveCore(core: AgentCore): Promise<Omit<BridgeUnderTest, 'core'>> {
  const faults: unknown[] = [];
  const revoked = new Set<string>();
  const unshared = new Set<string>();
  const tokens = (): readonly PosToken[] =>
    testTokens
      .filter(({ name }) => !revoked.has(name))
      .map((token) => (unshared.has(token.name) ? { ...token, reach: 'own' } : token));
  let port = 0;
  let count = 0;
  const versions = { tillbridge: '0.0.0-test' };
  const events = createEvents({ core, clock: core.clock, runId: 'run', versions });
  const bridge = createBridge({
    core,
    door: {
      port: () => port,
      origins: [listedOrigin],
      tokens: checkAgainst(underPrefixes(tokens, core.referencePrefixes)),
      officeSecret,
    },
    prove: (challenge) => officeProof(officeSecret, { port, pid: process.pid, challenge }),
    newRequestId: () => `req_${++count}`,
    newOperationId: () => `00000000-0000-4000-9000-${String(++operationCount).padStart(12, '0')}`,
    events,
    office: createOffice(core, {
      tokens: await PosTokens.load({ secrets: memorySecrets(), randomBytes }),
      settings: { ...noSettings, held: async () => ({ kind: 'refused', problems: [] }) },
      checkService: async () => [],
      sessions: noSessions,
      nowMs: () => core.clock.now(),
    }),
    versions,
    onFault: (error) => faults.push(error),
  });
  const server = await serveBridge({ port: 0, bridge, control: null });
  port = server.port;
  return {
    port,
    faults,
    revoke: (name) => void revoked.add(name),
    unshare: (name) => void unshared.add(name),
    async call(method, path, body, headers = {}) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${localToken}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) };
    },
    close: () => server.close(500),
  };
}
