import { errorText } from '../../shared/lib/error-code.ts';
import { auditInWords } from '../audit/audit-words.ts';
import { readAudit } from '../audit/read-audit.ts';
import { readLastStart } from '../config/last-start.ts';
import { typed } from '../machine/installed.ts';
import { fileSecretStore, SecretsError } from '../machine/secrets.ts';
import { readTillKey } from '../machine/till-key.ts';
import { type Finding, problem, well } from './finding.ts';

/** Walks the audit log. Without the secrets, which are a finding of their own, its entries prove nothing. */
export async function checkAudit(dataDir: string): Promise<readonly Finding[]> {
  try {
    const hasRun = readLastStart(dataDir) !== null;
    const key = await readTillKey(fileSecretStore(dataDir));
    const reading = readAudit(dataDir, key, { hasRun });
    if (key === null && reading.entries.length > 0) return [];
    const says = auditInWords(reading);
    if (reading.breaks.length === 0) return [well('audit', says)];
    return [
      problem(
        'audit',
        says,
        `Somebody, or the disk, has changed the audit log. Run ${typed('audit')} to see what is left`,
      ),
    ];
  } catch (error) {
    if (error instanceof SecretsError) return [];
    const reason = errorText(error);
    return [
      problem('audit', `the audit log cannot be read: ${reason}`, 'Make the file readable, and start the agent again'),
    ];
  }
}
