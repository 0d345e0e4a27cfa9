import { randomBytes } from 'node:crypto';
import { errorText } from '../../shared/lib/error-code.ts';
import { systemClock } from '../machine/clock.ts';
import type { SecretStore } from '../machine/secrets.ts';
import { keptTillKey } from '../machine/till-key.ts';
import { AuditLog } from './audit-log.ts';

/** For a command that holds the data folder of a stopped agent. What hinders the log is said on the terminal. */
export async function openStoppedAudit(dataDir: string, secrets: SecretStore): Promise<AuditLog> {
  return new AuditLog({
    dataDir,
    key: await keptTillKey(secrets, randomBytes),
    nowMs: () => systemClock().now(),
    onFailed: (error) => process.stderr.write(`The audit log did not take an entry: ${errorText(error)}\n`),
  });
}
