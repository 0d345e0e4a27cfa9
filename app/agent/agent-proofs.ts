import type { Mode } from '../../shared/till/views.ts';
import type { Audit, AuditEvent } from '../audit/audit-events.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { Settings } from '../config/settings.ts';
import type { SealOptions } from '../core/begin-seals.ts';
import { systemClock } from '../machine/clock.ts';
import type { Log } from '../machine/log.ts';
import type { SecretStore } from '../machine/secrets.ts';
import { areSealsBegun, noteSealsBegun } from '../machine/till-key.ts';

interface ProofStart {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  readonly secrets: SecretStore;
}

/** What the operations of a mode are sealed with, and whether they have been. */
export async function sealOf(
  { secrets, log }: ProofStart,
  mode: Mode,
  { tillKey, audit }: { readonly tillKey: Uint8Array; readonly audit: Audit },
): Promise<SealOptions> {
  return {
    key: tillKey,
    isBegun: await areSealsBegun(secrets, mode),
    onBegun(count) {
      // A new till has none: that is no upgrade.
      if (count > 0) audit.note({ event: 'operations_sealed', why: 'upgrade', count, by: null });
      noteSealsBegun(secrets, mode).catch((error: unknown) =>
        log.warn({ error }, 'That operations have their seals could not be noted; the next start looks again'),
      );
    },
  };
}

/** @param tillKey what its entries are chained by */
export function openAudit({ dataDir, settings, version, log }: ProofStart, tillKey: Uint8Array) {
  const audit = new AuditLog({
    dataDir,
    key: tillKey,
    nowMs: () => systemClock().now(),
    onFailed: (error) => log.error({ error }, 'The audit log did not take an entry'),
  });
  audit.note({ event: 'agent_started', mode: settings.mode, version });
  return {
    note: (event: AuditEvent) => audit.note(event),
    close: () => {
      audit.note({ event: 'agent_stopped' });
      audit.close();
    },
  };
}
