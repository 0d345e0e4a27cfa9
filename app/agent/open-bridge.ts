import { randomUUID } from 'node:crypto';
import { specificationVersion } from '../../shared/contract/version.ts';
import type { Audit } from '../audit/audit-events.ts';
import { createBridge } from '../bridge/bridge.ts';
import { createEvents } from '../bridge/events.ts';
import type { OfficeAnswerer } from '../bridge/office.ts';
import type { PosTokens } from '../bridge/pos-tokens.ts';
import { serveBridge } from '../bridge/serve.ts';
import { checkAgainst, underPrefixes } from '../bridge/tokens.ts';
import type { Settings } from '../config/settings.ts';
import type { SettingsEditor } from '../config/settings-editor.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Finding } from '../doctor/finding.ts';
import type { LoopbackServer } from '../http/loopback-server.ts';
import { officeProof } from '../http/office-proof.ts';
import type { BoundedListener } from '../http/web-request.ts';
import { systemClock } from '../machine/clock.ts';
import { createTimeOrderedUuids } from '../machine/ids.ts';
import type { Log } from '../machine/log.ts';
import type { OfficeKeys } from '../office/office-call.ts';
import { officeSessions } from '../office/office-sessions.ts';
import type { Updates } from '../updates/updates.ts';
import type { WebHost } from '../web/web-host.ts';

interface BridgeStart {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  /** Has the program end in good order. */
  readonly end: () => void;
}

interface BridgeParts {
  readonly core: AgentCore;
  readonly tokens: PosTokens;
  readonly officeSecret: string;
  readonly settingsEditor: SettingsEditor;
  readonly updates: Updates | null;
  readonly audit: Audit;
  /** Of the embedded sandbox; null without one. */
  readonly control: BoundedListener | null;
  /** Asks the service one cheap question. */
  readonly checkOwnService: () => Promise<readonly Finding[]>;
  /** The screen's; null while it is not served. */
  readonly web: () => WebHost | null;
}

interface OpenBridge {
  readonly server: LoopbackServer;
  readonly close: () => Promise<void>;
}

/** How long a request at a door may still take when the agent stops. */
const doorGraceMs = 3_000;

/** Opens the door for POS programs and for store IT. @throws PortUnavailableError */
export async function openBridge(
  { dataDir, settings, version, log, end }: BridgeStart,
  { core, tokens, officeSecret, settingsEditor, updates, audit, control, checkOwnService, web }: BridgeParts,
): Promise<OpenBridge> {
  const versions = { tillbridge: version, specification: specificationVersion, node: process.versions.node };
  const runId = randomUUID().slice(0, 8);
  const events = createEvents({ core, clock: systemClock(), runId, versions });
  let port = 0;
  const bridge = createBridge({
    core,
    door: {
      port: () => port,
      origins: settings.bridge.origins.map((origin) => new URL(origin).origin),
      tokens: checkAgainst(
        underPrefixes(() => tokens.all, core.referencePrefixes),
        ({ name }) => tokens.noteUse(name, systemClock().now()),
      ),
      officeSecret,
    },
    prove: (challenge) => officeProof(officeSecret, { port, pid: process.pid, challenge }),
    newRequestId: () => `req_${randomUUID().replaceAll('-', '')}`,
    newOperationId: createTimeOrderedUuids(systemClock(), randomUUID),
    events,
    office: officeOf(core, {
      tokens,
      settings: settingsEditor,
      sessions: officeSessions({ dataDir, audit, served: web }),
      updates,
      nowMs: () => systemClock().now(),
      checkService: checkOwnService,
      end(by) {
        audit.note({ event: 'stop_asked', by });
        setImmediate(end);
      },
    }),
    versions,
    onWrongToken: (door) => audit.note({ event: 'token_wrong', door }),
    onFault: (error, requestId) => log.error({ error, request_id: requestId }, 'A bridge request failed'),
  });
  try {
    const server = await serveBridge({ port: settings.bridge.port, bridge, control });
    port = server.port;
    return { server, close: () => server.close(doorGraceMs).finally(() => events.close()) };
  } catch (error) {
    events.close();
    throw error;
  }
}

/** What store IT asks, loaded with its first question: an agent that nobody asks starts without it. */
function officeOf(core: AgentCore, keys: OfficeKeys): OfficeAnswerer {
  let opening: Promise<OfficeAnswerer> | null = null;
  return async (name, input) => {
    opening ??= import('../office/office.ts').then(({ createOffice }) => createOffice(core, keys));
    return (await opening)(name, input);
  };
}
