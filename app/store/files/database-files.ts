import { closeSync, existsSync, fstatSync, lstatSync, readSync, statSync } from 'node:fs';
import { openSync } from '../../machine/held-files.ts';
import { type Damage, StoreError } from '../versions/store-error.ts';
import { type HeaderFacts, headerBytes, headerFacts, headerFault, pageBytesIn } from './database-header.ts';
import { isEmptyFile } from './empty-file.ts';
import { type HeaderMark, type HeaderStand, headerStandOf, isAheadOf, isFileOfLog } from './header-mark.ts';
import { isMarkerPutHere, isNotedOpen, wasOpened } from './known-databases.ts';
import { isSameChecksum } from './log-checksum.ts';
import type { LogSalts } from './log-frame.ts';
import { mostRoundsBetween } from './log-index.ts';
import type { OpenMarkerFacts } from './marker-format.ts';
import { readOpenMarker } from './open-marker.ts';
import { type LogReading, newPageBytes, readLog } from './write-ahead-log.ts';

/**
 * The files of a database, read without SQLite while nobody has them open: what they hold, also where SQLite would not
 * look or would not say. (In a process that has them open, closing a descriptor would end SQLite's locks.)
 */
export interface DatabaseFiles {
  /** Null for a database of which there is nothing yet. */
  readonly header: HeaderFacts | null;
  readonly marker: OpenMarkerFacts | null;
}

/**
 * @param takes what is known to be missing and is put up with
 * @throws StoreError `damaged`, with what is wrong with them
 */
export function examineFiles(path: string, takes: Damage | null = null): DatabaseFiles {
  const { marker, log } = examineLog(path, takes);
  if (isEmptyFile(path)) {
    // SQLite would take an empty file for a new database and throw the log away, with the sales that are only there.
    if (log.pages.size + log.laterPages.size > 0)
      throw damaged(path, 'file', 'the database is empty, and its log is not');
    if (takes !== 'missing' && wasOpened(path)) throw damaged(path, 'missing', 'the database that was here is gone');
    return { header: null, marker };
  }
  return { header: examineHeader(path, log), marker };
}

/**
 * Its log, and whether the database is the one under it. Not while the database is open in this process.
 *
 * @throws StoreError `damaged`
 */
export function examineLog(
  path: string,
  takes: Damage | null = null,
): { readonly marker: OpenMarkerFacts | null; readonly log: LogReading } {
  if (isLink(path)) throw linkFault(path);
  const marker = readOpenMarker(path);
  const log = readLog(`${path}-wal`);
  if (marker !== null && !isEmptyFile(path) && isPutUnder(path, log, marker)) throw exchangedUnder(path);
  if (log.damage !== null) {
    // Behind a break the file may stand where nothing can be read; how much is lost is not known then anyway.
    const isUnder = log.laterPages.size > 0 || isUnderItsLog(path, log, marker);
    if (!isUnder) throw exchangedUnder(path);
    throw damaged(path, isNewestCommitReadable(log, marker) ? 'log' : 'log_cut', log.damage);
  }
  const missing = isEmptyFile(path) ? null : missingFrom(path, log, marker);
  if (missing !== null && takes !== 'log_missing' && takes !== 'another') {
    throw damaged(path, log.laterPages.size > 0 ? 'log_cut' : 'log_missing', missing);
  }
  if (!isUnderItsLog(path, log, marker)) throw exchangedUnder(path);
  return { marker, log };
}

function examineHeader(path: string, log: LogReading): HeaderFacts {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const pageBytes = log.pageBytes ?? headerPageBytes(file) ?? newPageBytes;
    const readPage = (page: number): Buffer | null => log.pages.get(page) ?? pageOf(file, page, pageBytes);
    const firstPage = readPage(1);
    if (firstPage === null || (log.pageCount === null && size % pageBytes !== 0)) {
      throw damaged(path, 'file', 'the file was cut off');
    }
    const pageCount = log.pageCount ?? size / pageBytes;
    const fault = headerFault(firstPage, { pageCount, readPage });
    if (fault !== null) throw damaged(path, 'file', `its header is damaged: ${fault}`);
    return headerFacts(firstPage);
  } finally {
    closeSync(file);
  }
}

/** @returns null for a page that is not wholly there */
export function pageOf(file: number, page: number, pageBytes: number): Buffer | null {
  const content = Buffer.alloc(pageBytes);
  return readSync(file, content, 0, pageBytes, (page - 1) * pageBytes) === pageBytes ? content : null;
}

/** @returns null when the header does not tell, or tells a size that no database of ours has */
export function headerPageBytes(file: number): number | null {
  const header = Buffer.alloc(headerBytes);
  return readSync(file, header, 0, headerBytes, 0) === headerBytes ? pageBytesIn(header) : null;
}

function missingFrom(path: string, log: LogReading, marker: OpenMarkerFacts | null): string | null {
  if (marker !== null) return missingFromLog(log, marker);
  return isNotedOpen(path) ? 'it was not closed, and what says how much its log held is gone or damaged' : null;
}

/** What was on the disk and no longer is: null as long as everything is there that is known to have been. */
function missingFromLog(log: LogReading, { ending, log: known }: OpenMarkerFacts): string | null {
  if (ending.kind === 'clean' || known === null) return null;
  if (log.salts === null) return 'its log is gone, and it was not closed';
  const { salts, frameCount, checksum } = known;
  if (isOfRound(log, salts)) {
    const there = log.checksums[frameCount - 1];
    return there !== undefined && isSameChecksum(there, checksum) ? null : 'its log was cut off or changed';
  }
  return isLaterRound(log.salts, salts) ? null : 'its log is an older one, or not its own';
}

/** A log begins again when all of it is in the database. What is said of it after a power cut may be long ago. */
function isLaterRound(salts: LogSalts, known: LogSalts): boolean {
  return (salts.first - known.first) >>> 0 <= mostRoundsBetween;
}

/**
 * Whether an older log than the one that is known to have been, or another database's, lies beside the very file on
 * which that one began: so all of its own earlier logs are in the file, and played into it an older one would take back
 * what came later. An older file that lies there with its own log is something else.
 */
export function isLogBeforeFile(path: string, { ending, log: known }: OpenMarkerFacts): boolean {
  if (ending.kind === 'clean' || ending.logBegunMark === null || known === null) return false;
  const log = readLog(`${path}-wal`);
  if (log.salts === null || log.pageCount === null || log.damage !== null) return false;
  const isKnown = isOfRound(log, known.salts) || isLaterRound(log.salts, known.salts);
  return !isKnown && standOf(path)?.mark === ending.logBegunMark;
}

/** Whether the file came here with its marker, under a log of which that marker says nothing. */
function isPutUnder(path: string, log: LogReading, marker: OpenMarkerFacts): boolean {
  if (log.pages.size + log.laterPages.size === 0 || !isMarkerPutHere(path, marker)) return false;
  return marker.log === null || !isOfRound(log, marker.log.salts);
}

function isUnderItsLog(path: string, log: LogReading, marker: OpenMarkerFacts | null): boolean {
  if (log.pageCount === null || isEmptyFile(path)) return true;
  const stand = standOf(path);
  return stand === null || isFileOfLog(stand, { headers: log.headers, begun: markBefore(log, marker) });
}

/** @returns null, too, where the log has begun anew since: what the marker says of it is of no use any more */
function markBefore(log: LogReading, marker: OpenMarkerFacts | null): HeaderMark | null {
  if (marker === null || marker.ending.kind === 'clean' || marker.log === null) return null;
  return isOfRound(log, marker.log.salts) ? marker.ending.logBegunMark : null;
}

/** Whether a database stands further on than the log beside it leads: what it says of an operation is newer. */
export function isFileAheadOfLog(path: string): boolean {
  const stand = isEmptyFile(path) ? null : standOf(path);
  return stand !== null && isAheadOf(stand, readLog(`${path}-wal`).headers);
}

function standOf(path: string): HeaderStand | null {
  const file = openSync(path, 'r');
  try {
    return headerStandOf(file);
  } finally {
    closeSync(file);
  }
}

function isOfRound({ salts }: LogReading, { first, second }: LogSalts): boolean {
  return salts !== null && salts.first === first && salts.second === second;
}

/** Whether the newest commit that is known of can be read, whatever is broken before it. */
function isNewestCommitReadable(log: LogReading, marker: OpenMarkerFacts | null): boolean {
  const known = marker?.log ?? null;
  return known !== null && isOfRound(log, known.salts) && log.intactTo >= known.frameCount;
}

function exchangedUnder(path: string): StoreError {
  return damaged(path, 'file_exchanged', 'an older copy of it, or another one, lies under its log');
}

function damaged(path: string, damage: Damage, reason: string): StoreError {
  return new StoreError('damaged', `${path}: ${reason}.`, { damage });
}

/** SQLite keeps the log beside the file itself, and the agent looks for it beside the link. */
function linkFault(path: string): StoreError {
  if (existsSync(path))
    return damaged(path, 'log', 'it is a link, and its log lies beside the link or beside the file');
  const advice =
    'It is a link to a file that is not there. Mount the disk that it points to, or delete the link, then start again.';
  return new StoreError('unreachable', `${path}: ${advice}`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
