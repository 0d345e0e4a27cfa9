import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditRecord } from './audit-events.ts';

/** Where a chain has come to. */
export interface AuditChain {
  /** Of the last entry; 0 before the first. */
  readonly number: number;
  /** Of the last entry, in hex; empty before the first. */
  readonly seal: string;
}

export const chainStart: AuditChain = { number: 0, seal: '' };

/** Where a till goes on whose entries are gone, all of them: the number of the next one shows that it is not the first. */
export const afterLostEntries: AuditChain = { number: 1, seal: '' };

/** What each entry begins with. */
export const entryBeginning = '{"n":';

/**
 * An entry: what it tells, and the MAC over that and over the MAC of the entry before. JSON writes U+2028 as it is, which
 * a dot takes for the end of a line.
 */
const entryShape = /^(\{"n":(\d+),.*),"mac":"([0-9a-f]{64})"\}$/s;

/** The line of a new entry, its end included, and the chain with it. */
export function lineAfter(
  chain: AuditChain,
  key: Uint8Array,
  { at, record }: { readonly at: string; readonly record: AuditRecord },
): { readonly line: string; readonly chain: AuditChain } {
  const number = chain.number + 1;
  const text = JSON.stringify({ n: number, at, ...record }).slice(0, -1);
  const seal = macOf(key, chain.seal, text);
  return { line: `${text},"mac":"${seal}"}\n`, chain: { number, seal } };
}

/** Where the entries of a file end; null when it has none. */
export function sealOf(text: string): AuditChain | null {
  const last = text
    .trimEnd()
    .split('\n')
    .findLast((line) => entryShape.test(line));
  const [, , number, seal] = last === undefined ? [] : (entryShape.exec(last) ?? []);
  return number === undefined || seal === undefined ? null : { number: Number(number), seal };
}

export interface AuditEntry {
  readonly n: number;
  readonly at: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Where the chain does not hold: this line, or what stood before it, is not what was written. */
export interface AuditBreak {
  /** From 1, over all files. */
  readonly line: number;
  readonly why:
    | 'no_entry'
    /** It was changed, or the entry before it was changed, added or taken away; or another key wrote it. */
    | 'mac'
    /** Entries before it are gone. */
    | 'missing'
    /** This till has run, which has an entry, and there is none. */
    | 'all_gone';
}

export interface AuditReading {
  readonly entries: readonly AuditEntry[];
  readonly breaks: readonly AuditBreak[];
  readonly head: AuditChain;
}

/**
 * Walks the chain through all that is kept. Where it breaks it goes on from there: each break is told once.
 *
 * @param text of all files, the oldest first
 * @param key null: it is not known, and no entry is proven
 */
export function readChain(text: string, key: Uint8Array | null): AuditReading {
  const entries: AuditEntry[] = [];
  const breaks: AuditBreak[] = [];
  let head: AuditChain | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const [, kept, number, seal] = entryShape.exec(line) ?? [];
    const entry = entryOf(line);
    if (kept === undefined || seal === undefined || entry === null) {
      breaks.push({ line: index + 1, why: 'no_entry' });
      continue;
    }
    const before: AuditChain = head ?? firstBefore(entry);
    if (Number(number) !== before.number + 1) breaks.push({ line: index + 1, why: 'missing' });
    else if (key === null || !isSealed(key, before.seal, kept, seal)) breaks.push({ line: index + 1, why: 'mac' });
    const { mac: _mac, ...told } = entry;
    entries.push(told);
    head = { number: Number(number), seal };
  }
  return { entries, breaks, head: head ?? chainStart };
}

/** The oldest file that is kept begins with where it goes on from. */
function firstBefore({ n, event, from }: AuditEntry): AuditChain {
  return event === 'continued' && typeof from === 'string' ? { number: n - 1, seal: from } : chainStart;
}

function entryOf(line: string): AuditEntry | null {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== 'object' || entry === null || !('n' in entry && 'at' in entry && 'event' in entry))
      return null;
    const { n, at, event } = entry;
    return typeof n === 'number' && typeof at === 'string' && typeof event === 'string'
      ? { ...entry, n, at, event }
      : null;
  } catch {
    return null;
  }
}

function macOf(key: Uint8Array, before: string, text: string): string {
  return createHmac('sha256', key).update(`audit\n${before}\n${text}`).digest('hex');
}

function isSealed(key: Uint8Array, before: string, text: string, seal: string): boolean {
  return timingSafeEqual(Buffer.from(macOf(key, before, text), 'hex'), Buffer.from(seal, 'hex'));
}
