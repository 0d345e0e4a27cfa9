import type { AuditBreak, AuditReading } from './audit-chain.ts';

const causes: Readonly<Record<AuditBreak['why'], string>> = {
  no_entry: 'is no entry',
  mac: 'or what stood before it was changed, or another key wrote it',
  missing: 'comes after entries that are gone',
  all_gone: 'is missing, and so is every other: this till has run, and each start has an entry',
};

/** How the record stands, without a full stop. */
export function auditInWords({ breaks, head }: Pick<AuditReading, 'breaks' | 'head'>): string {
  const [first, ...more] = breaks;
  if (first === undefined) {
    return head.number === 0
      ? 'nothing is recorded yet'
      : `whole up to entry ${head.number}, ${head.seal.slice(0, 16)}`;
  }
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return `not as it was written: line ${first.line} ${causes[first.why]}${others}`;
}
