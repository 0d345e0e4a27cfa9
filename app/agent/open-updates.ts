import type { Audit } from '../audit/audit-events.ts';
import type { Settings } from '../config/settings.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import type { UpdateHost } from '../updates/update-host.ts';
import type { Updates } from '../updates/updates.ts';

/** The updates of a program that can be updated by itself; null for any other. */
export async function openUpdates(
  start: {
    readonly dataDir: string;
    readonly settings: Settings;
    readonly log: Log;
    readonly updates: UpdateHost | null;
  },
  parts: {
    readonly core: Pick<AgentCore, 'counts' | 'servedAtMs' | 'status' | 'recentOperations' | 'onChange'>;
    readonly tillKey: Uint8Array;
    readonly audit: Audit;
    readonly stateChanged: () => void;
  },
): Promise<Updates | null> {
  const { dataDir, settings, log, updates: host } = start;
  if (host === null) return null;
  const { core, tillKey, audit, stateChanged } = parts;
  const { Updates } = await import('../updates/updates.ts');
  const updates = new Updates({
    dataDir,
    settings: settings.update,
    tillId: core.status().deviceId,
    host,
    tillKey,
    clock: systemClock(),
    log,
    audit,
    use: () => ({ sendingCount: core.counts().sending, servedAtMs: core.servedAtMs() }),
    onChanged: stateChanged,
  });
  // A version that has taken an operation sells: going back could lose what the one before cannot read.
  const newestAtStart = core.recentOperations({ limit: 1 })[0]?.rowId ?? 0;
  const end = core.onChange((change) => {
    if (change.type !== 'operation' || change.rowId <= newestAtStart) return;
    end();
    updates.started();
  });
  return updates;
}
