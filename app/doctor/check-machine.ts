import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import { modes } from '../../shared/till/modes.ts';
import { howToClose, standingOfFolder } from '../machine/closed-folder.ts';
import { megabytesIn } from '../machine/disk-room.ts';
import { freeBytesAt, leastFreeBytes } from '../machine/disk-watch.ts';
import { typed } from '../machine/installed.ts';
import { connect } from '../store/database/connect.ts';
import { standingInPlace } from '../store/database/open.ts';
import { hasStrayLog } from '../store/database/stray-log.ts';
import { examineLog, sizeOf } from '../store/files/database-files.ts';
import { howToMakeWritable, unwritableFiles } from '../store/files/unwritable-files.ts';
import { countDifferences, countOperations, deletedOperations } from '../store/tables/counts.ts';
import { foreignObjects, missingObjects } from '../store/versions/foreign-objects.ts';
import { tooNewIn } from '../store/versions/migrate.ts';
import { isWithoutTables } from '../store/versions/table-columns.ts';
import { type Finding, problem, unreadable, warning, well } from './finding.ts';
import { goneDatabase } from './gone-database.ts';

const ownersOnly = 0o077;

/** The folder, what may look into it, and the room that is left. */
export function checkFolder(dataDir: string): readonly Finding[] {
  const findings: Finding[] = [];
  if (statSync(dataDir, { throwIfNoEntry: false }) === undefined) {
    // No mere warning: the folder of a till that has sold before may have been taken away.
    return [
      problem('folder', `${dataDir} does not exist`, 'Start the agent, which makes it, or name another --data-dir'),
    ];
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    findings.push(well('folder', `${dataDir} can be read and written`));
  } catch (error) {
    const reason = errorText(error);
    return [
      problem(
        'folder',
        `${dataDir} cannot be used (${reason})`,
        'Give this user access to the folder, or name another folder',
      ),
    ];
  }
  findings.push(...checkStanding(dataDir));
  findings.push(...checkAgentFiles(dataDir));
  const free = freeBytesAt(dataDir);
  const megabytes = megabytesIn(free);
  findings.push(
    free !== null && free < leastFreeBytes
      ? problem('disk', `${megabytes} are free`, 'Delete files: a full disk stops sales')
      : well('disk', `${megabytes} are free`),
  );
  return findings;
}

function isOpen(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & ownersOnly) !== 0;
}

/** What the agent makes for itself, and cannot make where something else stands. */
function checkAgentFiles(dataDir: string): readonly Finding[] {
  const needed = [
    ['agent.lock', 'the agent does not start'],
    ['agent.json', 'no command finds a running agent'],
  ] as const;
  return needed.flatMap(([name, consequence]) => {
    const path = join(dataDir, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== false) return [];
    return [problem('folder', `${path} is no file: ${consequence}`, 'Delete it. The agent makes its own')];
  });
}

function checkStanding(dataDir: string): readonly Finding[] {
  const standing = standingOfFolder(dataDir);
  if (standing.kind === 'unfit') {
    return [problem('folder', `${standing.path}: ${standing.why}; the agent does not start`, standing.advice)];
  }
  if (standing.kind === 'unknown') {
    const says = `${dataDir} may be open to other users of this machine: ${standing.why}`;
    return [warning('folder', says, `Look at its rights. To close it: ${howToClose(dataDir)}`)];
  }
  const isFolderOpen = process.platform !== 'win32' && isOpen(dataDir);
  const open = [...new Set([...(isFolderOpen ? [dataDir] : []), ...standing.open.map(({ path }) => path)])];
  const advice = 'Start the agent, which closes its own files. Move other files out of the folder';
  return open.length === 0 ? [] : [warning('folder', `${open.join(', ')} may be read or written by others`, advice)];
}

/**
 * One database, read beside a running agent: nothing in it is changed.
 *
 * @param about.isOpen an agent may write to it: its log is not looked at then
 */
export function checkDatabase(path: string, { isOpen }: { readonly isOpen: boolean }): readonly Finding[] {
  const name = basename(path);
  const findings: Finding[] = [];
  // To open a pipe would wait for somebody who writes to it.
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    const advice = 'Start the agent, which moves it away and restores the saved sales';
    return [problem('database', `${name} is not a file`, advice)];
  }
  const unwritable = unwritableFiles(path);
  // Not opened: SQLite would leave more such files beside it.
  if (unwritable.length > 0)
    return [problem('database', `this user may not write ${unwritable.join(', ')}`, howToMakeWritable)];
  try {
    if (!isOpen && hasStrayLog(path)) {
      return [
        problem('database', `a log that is not of ${name} lies beside it`, 'Start the agent, which puts it aside'),
      ];
    }
    if (!isOpen) examineLog(path);
    const database = connect(path, { readonly: true, fileMustExist: true });
    try {
      const tooNew = tooNewIn(database);
      if (tooNew !== null) {
        const says = `a newer version has changed ${name}: it has schema ${tooNew.found} and allows programs from schema ${tooNew.oldestReader} on; this one knows ${tooNew.newestKnown}. The agent does not start`;
        const advice = 'Install the newer version again (docs/recovery.md, "Going back to an older version")';
        return [problem('database', says, advice)];
      }
      const verdict = String(database.pragma('quick_check(1)', { simple: true }));
      if (!isOpen) findings.push(...standingIn(database, path));
      // Nor is anything wrong with one that a first start had only begun.
      if (isWithoutTables(database)) return findings;
      const foreign = foreignObjects(database);
      if (foreign.length > 0) {
        const says = `${name} contains objects that no version of Tillbridge writes: ${foreign.join(', ')}`;
        const advice =
          'Find out who has changed the database. The next start copies the rows into a new database without them';
        findings.push(problem('database', says, advice));
      }
      const missing = missingObjects(database);
      if (missing.length > 0) {
        const says = `${name} lacks what Tillbridge has made in it: ${missing.join(', ')}`;
        const advice =
          'Find out who has changed the database. The next start copies the rows into a new, whole database';
        findings.push(problem('database', says, advice));
      }
      findings.push(...countsFinding(database, name), ...deletedFinding(database, name));
      const count = countOperations(database);
      // What was saved last stands in the log.
      const bytes = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
      const megabytes = (bytes / 1024 / 1024).toFixed(1);
      if (verdict !== 'ok') {
        const advice = 'Start the agent again, which repairs the database';
        findings.push(problem('database', `${name} is damaged: ${verdict}`, advice));
      } else if (foreign.length + missing.length === 0) {
        const operations = `${count} ${count === 1 ? 'operation' : 'operations'}`;
        findings.push(well('database', `${name} has no damage: ${operations}, ${megabytes} MB`));
      }
    } finally {
      database.close();
    }
  } catch (error) {
    findings.push(unreadable('database', name, error));
  }
  return findings;
}

function countsFinding(database: BetterSqlite3.Database, name: string): readonly Finding[] {
  const differences = countDifferences(database);
  if (differences.length === 0) return [];
  const each = differences.map(({ state, counted, found }) => `${counted} ${state}, there are ${found}`).join('; ');
  const advice = 'Find out who has changed the database. A restart of the agent corrects most counts';
  return [
    warning('database', `${name} counts its operations wrongly: ${each}. Every operation is sent all the same`, advice),
  ];
}

function deletedFinding(database: BetterSqlite3.Database, name: string): readonly Finding[] {
  const deleted = deletedOperations(database);
  if (deleted === null) return [];
  const { count, afterMs, beforeMs } = deleted;
  const many =
    count === null ? 'at least 1 operation is' : `${count} ${count === 1 ? 'operation is' : 'operations are'}`;
  const after = afterMs === null ? '' : `, saved after ${toInstant(afterMs)}`;
  const before = beforeMs === null ? '' : `${afterMs === null ? ', saved' : ' and'} before ${toInstant(beforeMs)}`;
  const which = count === null || count === 1 ? '' : ' (the last of them)';
  const says = `${many} missing in ${name}${after}${before}${after + before === '' ? '' : which}`;
  return [
    problem('missing', says, `Compare with the receipts of that time, or restore a backup: ${typed('restore FILE')}`),
  ];
}

function standingIn(database: BetterSqlite3.Database, path: string): readonly Finding[] {
  const name = basename(path);
  const standing = standingInPlace(database, path);
  switch (standing) {
    case 'own':
      return [];
    case 'empty': {
      const advice = 'Put the database back, or restore a backup, before you start the agent';
      return [problem('database', `${name} has nothing in it; an agent ran here`, advice)];
    }
    case 'older': {
      const advice = 'Put the newer database back, or restore a backup, before you start the agent';
      return [problem('database', `${name} is an older copy: newer operations are missing`, advice)];
    }
    case 'another': {
      const advice = "Put this till's own database back, or restore a backup, before you start the agent";
      return [
        problem('database', `${name} is the database of another till: the operations of this till are missing`, advice),
      ];
    }
    default:
      return assertNever(standing);
  }
}

/** Databases of which only a note is left that an agent keeps beside them. */
export function checkGone(dataDir: string): readonly Finding[] {
  return modes.flatMap((mode) => {
    const gone = goneDatabase(dataDir, mode);
    return gone === null ? [] : [problem('database', gone.says, gone.advice)];
  });
}

/** Databases that were put aside, because of damage or a restore. */
export function checkAside(dataDir: string): readonly Finding[] {
  const aside = namesIn(dataDir)
    .filter((name) => /\.((damaged|before-restore|replaced|stray-log)-.*\.sqlite(-wal)?|no-file-[^.]*)$/.test(name))
    // Where the database was gone, or is not that log's own, the log is all there is.
    .filter((name) => !name.endsWith('-wal') || isLogAlone(join(dataDir, name)));
  if (aside.length === 0) return [];
  return [
    warning(
      'put_aside',
      `${aside.join(', ')} ${aside.length === 1 ? 'was' : 'were'} replaced in ${dataDir}`,
      "Delete once the day's totals are right",
    ),
  ];
}

function isLogAlone(log: string): boolean {
  return !existsSync(log.replace(/-wal$/, '')) && sizeOf(log) > 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Where the agent writes its log. */
export function logPath(dataDir: string): string {
  return join(dataDir, 'logs', 'agent.log');
}

/** The log's files, the newest first. */
export function logFiles(dataDir: string): readonly string[] {
  const folder = dirname(logPath(dataDir));
  return namesIn(folder)
    .filter((name) => /^agent\.log(\.\d+)?$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}
