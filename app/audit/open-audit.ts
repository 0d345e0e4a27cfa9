import { randomBytes } from 'node:crypto';
import { errorText } from '../../shared/lib/error-code.ts';
import { systemClock } from '../machine/clock.ts';
import { readBridgeToken, type SecretStore } from '../machine/secrets.ts';
import { keptTillKey, readTillKey } from '../machine/till-key.ts';
import { AuditLog } from './audit-log.ts';

/**
 * Whether this till's audit log has entries, or had some: each start notes its own after it has made the till's key, and
 * before it makes the first token. Asked before either is made.
 */
export async function isAuditBegun(secrets: SecretStore): Promise<boolean> {
  return (await readTillKey(secrets)) !== null && (await readBridgeToken(secrets)) !== null;
}

/** For a command that holds the data folder of a stopped agent. What hinders the log is said on the terminal. */
export async function openStoppedAudit(dataDir: string, secrets: SecretStore): Promise<AuditLog> {
  const isBegun = await isAuditBegun(secrets);
  return new AuditLog({
    dataDir,
    isBegun,
    key: await keptTillKey(secrets, randomBytes),
    nowMs: () => systemClock().now(),
    onFailed: (error) => process.stderr.write(`The audit log did not take an entry: ${errorText(error)}\n`),
  });
}
