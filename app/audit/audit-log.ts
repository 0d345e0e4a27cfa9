import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toInstant } from '../../shared/lib/clock.ts';
import { hourMs } from '../../shared/lib/durations.ts';
import { isStillAt, noLink, readTextFile, refuseLink } from '../machine/files.ts';
import { openSync, renameSync } from '../machine/held-files.ts';
import { type AuditChain, afterLostEntries, chainStart, entryBeginning, lineAfter, sealOf } from './audit-chain.ts';
import { type Audit, type AuditEvent, type AuditRecord, mostNoisyPerHour, noisyEvents } from './audit-events.ts';

const maxFileBytes = 1024 * 1024;
/** The one that is written among them. */
const keptFiles = 8;
/** A name that is longer is cut: nobody fills the log with one. */
const mostTextLength = 200;

/** @param place 0 is the file that is written */
function auditPath(dataDir: string, place: number): string {
  return join(dataDir, place === 0 ? 'audit.jsonl' : `audit.${place}.jsonl`);
}

/** All files that there may be, the oldest first. */
export function auditPaths(dataDir: string): readonly string[] {
  return Array.from({ length: keptFiles }, (_, place) => auditPath(dataDir, keptFiles - 1 - place));
}

interface AuditLogOptions {
  readonly dataDir: string;
  /** Of this till (till-key.ts). */
  readonly key: Uint8Array;
  /** This till has noted something before: where no entry is left, they are gone (open-audit.ts). */
  readonly isBegun: boolean;
  /** The machine's own time. */
  readonly nowMs: () => number;
  /** Told what hinders it: nothing stops for that. */
  readonly onFailed: (error: unknown) => void;
  readonly maxBytes?: number;
}

/**
 * Who did what at this till, in a file that is only ever appended to and whose entries are chained by a MAC. One process
 * at a time: who writes holds the data folder.
 */
export class AuditLog implements Audit {
  readonly #options: AuditLogOptions;
  #file: number | null = null;
  #byteCount = 0;
  #chain: AuditChain;
  readonly #noisy = new Map<AuditEvent['event'], { readonly sinceMs: number; noted: number; more: number }>();

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#chain = options.isBegun ? afterLostEntries : chainStart;
  }

  note(event: AuditEvent): void {
    try {
      const nowMs = this.#options.nowMs();
      this.#tellMore((sinceMs) => nowMs < sinceMs || nowMs - sinceMs >= hourMs);
      if (!this.#isKept(event.event, nowMs)) return;
      this.#append(shortened(event));
    } catch (error) {
      this.#options.onFailed(error);
    }
  }

  close(): void {
    try {
      this.#tellMore(() => true);
    } catch (error) {
      this.#options.onFailed(error);
    }
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #isKept(name: AuditEvent['event'], nowMs: number): boolean {
    if (!noisyEvents.has(name)) return true;
    const ofHour = this.#noisy.get(name) ?? { sinceMs: nowMs, noted: 0, more: 0 };
    this.#noisy.set(name, ofHour);
    if (ofHour.noted >= mostNoisyPerHour) {
      ofHour.more += 1;
      return false;
    }
    ofHour.noted += 1;
    return true;
  }

  #tellMore(isOver: (sinceMs: number) => boolean): void {
    for (const [of, { sinceMs, more }] of this.#noisy) {
      if (!isOver(sinceMs)) continue;
      if (more > 0) this.#append({ event: 'more', of, count: more });
      this.#noisy.delete(of);
    }
  }

  #append(record: AuditRecord): void {
    if (this.#file !== null && !isStillAt(auditPath(this.#options.dataDir, 0), fstatSync(this.#file))) {
      closeSync(this.#file);
      this.#file = null;
    }
    this.#file ??= this.#open();
    if (this.#byteCount >= (this.#options.maxBytes ?? maxFileBytes)) this.#roll();
    this.#file ??= this.#open();
    // Also where a full disk, or a power cut, came right after the last file was put aside.
    if (this.#byteCount === 0 && this.#chain.number > 0) this.#write({ event: 'continued', from: this.#chain.seal });
    this.#write(record);
  }

  #write(record: AuditRecord): void {
    this.#file ??= this.#open();
    const file = this.#file;
    const { key, nowMs } = this.#options;
    const { line, chain } = lineAfter(this.#chain, key, { at: toInstant(nowMs()), record });
    const bytes = Buffer.from(line);
    try {
      const written = writeSync(file, bytes);
      // A disk that is full takes what it has room for, without an error.
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
      this.#byteCount += written;
      fsyncSync(file);
      this.#chain = chain;
    } catch (error) {
      // What is half written is cut off at the next opening.
      closeSync(file);
      this.#file = null;
      throw error;
    }
  }

  /** @returns the file that is written, its end a whole entry */
  #open(): number {
    const { dataDir } = this.#options;
    const path = auditPath(dataDir, 0);
    refuseLink(path);
    const text = readTextFile(path) ?? '';
    const wholeText = text.slice(0, text.lastIndexOf('\n') + 1);
    const found = sealOf(wholeText) ?? sealOf(readTextFile(auditPath(dataDir, 1)) ?? '') ?? chainStart;
    // Where more was noted than is there, entries were taken away: the number of the next one shows it.
    if (found.number >= this.#chain.number) this.#chain = found;
    const file = openSync(path, constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | noLink, 0o600);
    const wholeBytes = Buffer.byteLength(wholeText);
    const { size } = fstatSync(file);
    if (isUnfinished(text.slice(wholeText.length))) {
      if (wholeBytes < size) ftruncateSync(file, wholeBytes);
      this.#byteCount = wholeBytes;
    } else {
      // No power cut has left that. It stays, a line of its own, which the chain tells as no entry.
      this.#byteCount = size + writeSync(file, '\n');
    }
    return file;
  }

  #roll(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    const { dataDir } = this.#options;
    for (let place = keptFiles - 2; place >= 0; place -= 1) {
      if (readTextFile(auditPath(dataDir, place)) === null) continue;
      renameSync(auditPath(dataDir, place), auditPath(dataDir, place + 1));
    }
  }
}

/**
 * What a power cut in the middle of an entry leaves behind the last whole one: its beginning, or room that was never filled.
 * Nobody was told that the entry is there.
 */
function isUnfinished(end: string): boolean {
  return end.startsWith('\0') || entryBeginning.startsWith(end.slice(0, entryBeginning.length));
}

function shortened(event: AuditEvent): AuditEvent {
  return JSON.parse(
    JSON.stringify(event, (_, value: unknown) =>
      typeof value === 'string' ? value.slice(0, mostTextLength) : Array.isArray(value) ? value.slice(0, 50) : value,
    ),
  );
}
