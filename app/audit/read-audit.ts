import { readTextFile } from '../machine/files.ts';
import { type AuditReading, readChain } from './audit-chain.ts';
import { auditPaths } from './audit-log.ts';

/**
 * All that is kept of the audit log, its chain walked.
 *
 * @param key of the till; null when that is not known
 * @param hasRun whether an agent has started here
 */
export function readAudit(
  dataDir: string,
  key: Uint8Array | null,
  { hasRun }: { readonly hasRun: boolean } = { hasRun: false },
): AuditReading {
  const texts = auditPaths(dataDir).map((path) => readTextFile(path));
  const reading = readChain(texts.map((text) => text ?? '').join(''), key);
  const [first] = reading.entries;
  // The oldest file goes only when all places are taken: without it, the first entry of all must be there.
  const hasOldest = texts[0] !== null;
  if (first !== undefined && first.n > 1 && !hasOldest && reading.breaks[0]?.line !== 1) {
    return { ...reading, breaks: [{ line: 1, why: 'missing' }, ...reading.breaks] };
  }
  if (first === undefined && reading.breaks.length === 0 && key !== null && hasRun) {
    return { ...reading, breaks: [{ line: 1, why: 'all_gone' }] };
  }
  return reading;
}
