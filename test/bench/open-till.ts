import { randomBytes } from 'node:crypto';
import { AuditLog } from '../../app/audit/audit-log.ts';
import { settingsSources } from '../../app/commands/agent-flags.ts';
import { loadSettings } from '../../app/config/load-settings.ts';
import { systemClock } from '../../app/machine/clock.ts';
import { lockDataFolder } from '../../app/machine/lock.ts';
import { keptTillKey } from '../../app/machine/till-key.ts';
import { version } from '../../app/machine/version.ts';

/**
 * What a program does before it takes a till's sales, whatever else it is: it reads its settings and its secrets and
 * checks them, takes the folder for itself, and notes its start in the audit log.
 *
 * @throws what stands in the way
 */
export async function openTill(dataDir: string): Promise<void> {
  const sources = await settingsSources(new Map([['data-dir', dataDir]]), process.env);
  const loaded = loadSettings(sources);
  if (loaded.kind === 'refused') throw new Error(loaded.problems.join('\n'));
  lockDataFolder(dataDir);
  const key = await keptTillKey(sources.secrets, randomBytes);
  const audit = new AuditLog({
    dataDir,
    key,
    isBegun: false,
    nowMs: () => systemClock().now(),
    onFailed(error) {
      throw error;
    },
  });
  audit.note({ event: 'agent_started', mode: loaded.settings.mode, version });
}
