import { readTextFile } from '../machine/files.ts';
import { type AuditReading, readChain } from './audit-chain.ts';
import { auditPaths } from './audit-log.ts';

/** All that is kept of the audit log, its chain walked. @param key of the till; null when that is not known */
export function readAudit(dataDir: string, key: Uint8Array | null): AuditReading {
  return readChain(
    auditPaths(dataDir)
      .map((path) => readTextFile(path) ?? '')
      .join(''),
    key,
  );
}
