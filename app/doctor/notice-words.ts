import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { DatabaseNotice, Notice } from '../../shared/till/views.ts';
import { fileDoubtAdvice } from '../config/load-settings.ts';
import { makeRoom, megabytesIn } from '../machine/disk-room.ts';
import { typed } from '../machine/installed.ts';

/** A notice for store IT: what it is and what to do. */
export function noticeInWords(notice: Notice): string {
  switch (notice.code) {
    case 'not_saving':
      return `Sales are refused since ${notice.since}: ${savingTroubleInWords(notice)}. Then sales go on`;
    case 'database_damaged':
      return databaseDamaged;
    case 'database_recovered':
      return recoveryInWords(notice, null);
    case 'disk_nearly_full':
      return `Only ${megabytesIn(notice.free_bytes)} are free on the disk. A full disk stops sales`;
    case 'queue_nearly_full':
      return `${notice.waiting} of at most ${notice.limit} operations are waiting. The limit stops sales`;
    case 'key_changed':
      return `The API key has changed while ${notice.waiting} operations are waiting. The agent first checks what the old key has sent. Operations that the new key cannot find need attention`;
    case 'settings_lost':
      return `The settings are lost. The till sells with defaults, in ${notice.mode} mode. Correct the settings file and start the agent again`;
    case 'settings_file_wrong':
      return `A settings file is wrong: ${notice.faults.join('; ')}. The last good settings are used. Correct the file and start the agent again`;
    case 'settings_file_unchecked':
      return `${notice.doubt}. ${fileDoubtAdvice}`;
    case 'sandbox_began_anew':
      return `The data of the sandbox could not be read and is now ${notice.aside}. The sandbox has started over`;
    case 'backup_late': {
      const last = notice.last_at === null ? 'There is no backup yet' : `The last backup is from ${notice.last_at}`;
      return notice.reason === null ? last : `${last}: ${notice.reason}`;
    }
    case 'people_changed':
      return `${peopleDoubtsInWords(notice)}. ${peopleAgain()}`;
    case 'production_waiting':
      if (notice.waiting === null)
        return 'Operations of production mode may be waiting: their database cannot be read. Production mode says what is wrong';
      return `${notice.waiting} operations of production mode are waiting. The agent sends them ${notice.is_sending ? 'in the background' : 'in production mode'}`;
    case 'production_database':
      return `Production mode: ${productionTroubleInWords(notice.trouble)}`;
    case 'update_ready':
      return `Version ${notice.version} is ready. Tillbridge installs it at the next quiet time`;
    case 'update_held':
      return `Version ${notice.version} is on hold`;
    case 'update_refused':
      return `The update was not installed: ${notice.reason}`;
    case 'update_went_back':
      return `Version ${notice.from} did not start. Tillbridge went back to ${notice.to}`;
    default:
      return assertNever(notice);
  }
}

const databaseDamaged = 'The database is damaged. Start the agent again, which repairs the database';

/** Nobody sells in production while the screen is in sandbox mode: it is what waits there that is not sent. */
function productionTroubleInWords(trouble: DatabaseNotice): string {
  switch (trouble.code) {
    case 'not_saving':
      return `Nothing is sent since ${trouble.since}: ${savingTroubleInWords(trouble)}. Then sending goes on`;
    case 'database_damaged':
      return databaseDamaged;
    case 'database_recovered':
      return recoveryInWords(trouble, 'production');
    default:
      return assertNever(trouble);
  }
}

/** What store IT does about it. */
export function peopleAgain(): string {
  return `They cannot sign in. Add each again with "${typed('people add-manager NAME')}" or "${typed('people add-cashier NAME')}", or remove the name with "${typed('people remove NAME')}"`;
}

interface DoubtsTold {
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly is_list_whole: boolean;
}

/** What of the list of people is not as this till wrote it, without a full stop. */
export function peopleDoubtsInWords({ changed, missing, is_list_whole }: DoubtsTold): string {
  const parts = [
    ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
  ];
  const named = parts.length === 0 ? '' : ` (${parts.join('; ')})`;
  return is_list_whole
    ? `People were changed on the disk${named}`
    : `The list of people is not as this till wrote it, and nobody on it is believed${named}`;
}

/** That somebody restored a backup, and nothing is missing: nothing has to be done, and somebody may not know of it. */
export function isWholeRestore(notice: Notice): boolean {
  if (notice.code !== 'database_recovered' || notice.why !== 'restored' || notice.unreadable !== 0) return false;
  return notice.left_out_references === undefined && notice.left_behind_references === undefined;
}

/** What is told so that somebody knows it: nothing has to be done. */
export function isInformation({ code }: Notice): boolean {
  return code === 'update_ready' || code === 'update_held';
}

function savingTroubleInWords({ why, reason }: Extract<Notice, { code: 'not_saving' }>): string {
  switch (why) {
    case 'locked':
      return `another program has locked the database (${reason}). Close the program that reads the data folder: a database viewer, a backup program, a virus scanner`;
    case 'disk_full':
      return `the disk is full. ${makeRoom}`;
    case 'disk_refuses':
      return `the disk cannot be written (${reason}). Check the disk and the rights of the data folder`;
    default:
      return assertNever(why);
  }
}

/** So many references are named. */
const mostNamed = 10;

type RecoveryNotice = Extract<Notice, { code: 'database_recovered' }>;

/** @param otherMode of the database, where it is not the till's own; else null */
function recoveryInWords(notice: RecoveryNotice, otherMode: Mode | null): string {
  const { at, aside, why, carried, unreadable, last_backup_at: backupAt } = notice;
  const kept = aside === null ? '' : `; the old file is ${aside}`;
  const strayLog = aside === null ? '' : `; a log that is not of the database lay beside it and is now ${aside}`;
  const backup = `The last backup is ${backupAt === null ? 'unknown' : `from ${backupAt}`}`;
  const lost =
    unreadable === null ? `the number of lost operations is not known. ${backup}` : `${unreadable} could not be read`;
  const missing = (unknown: string) => `${missingInWords(unreadable, unknown)}. ${backup}`;
  const carriedOver = `${carried} ${carried === 1 ? 'operation was' : 'operations were'} kept, ${lost}`;
  // Where the running agent has saved all of them, there is nothing to put back.
  const putBack =
    unreadable === 0
      ? ''
      : ` Stop the agent and restore this till's own file or backup with "${typed(`restore FILE${otherMode === null ? '' : ` --mode ${otherMode}`}`)}". Newer operations are kept.`;
  switch (why) {
    case 'restored': {
      const before = aside === null ? '' : `; the database before is now ${aside}`;
      const newer = `${carried} newer ${carried === 1 ? 'operation was' : 'operations were'} carried over`;
      return `A backup was restored at ${at}${before}: ${newer}${aside === null ? '' : ' from it'}, ${lost}${leftOutInWords(notice)}${leftBehindInWords(notice)}`;
    }
    case 'damaged':
      return `The database was replaced at ${at}${kept}: ${carriedOver}${leftOutInWords(notice)}${leftBehindInWords(notice)}`;
    case 'log_damaged':
      return `The newest part of the database was damaged, found at ${at}${kept}: ${carriedOver}${leftBehindInWords(notice)}`;
    case 'log_missing':
      return `The newest part of the database was missing at ${at}${strayLog}: ${missing('the newest operations may be missing')}`;
    case 'stray_log':
      return `A log that is not of the database lay beside it at ${at} and is now ${aside}. The database is as it was closed${unreadable === 0 ? '' : `. Of what was lost before, ${lost}`}`;
    case 'older':
      return `The database was an older copy at ${at}: ${missing('newer operations are missing')}`;
    case 'another':
      return `The database was that of another till at ${at}: ${missingInWords(unreadable, 'the operations of this till are missing')}.${putBack} ${backup}`;
    case 'missing':
      return `The database was missing at ${at}, and a new database was created: ${missing('the lost operations are not known')}`;
    case 'moved':
      return `The database's files were deleted, replaced or cut at ${at} while the agent ran. The agent goes on in a new file${kept}: ${carriedOver}`;
    default:
      return assertNever(why);
  }
}

/** A restore that was cut short is finished by the agent's start, which shows nobody a line of its own. */
function leftOutInWords({ left_out_references: references = [] }: RecoveryNotice): string {
  if (references.length === 0) return '';
  return `. Left out of the backup, because this till has other operations under these references, or because they take such a one back: ${named(references)}. Compare them with the receipts`;
}

function leftBehindInWords({ left_behind_references: references = [] }: RecoveryNotice): string {
  if (references.length === 0) return '';
  return `. Only in the old file, because there are other operations under these references now, or because they take such a one back: ${named(references)}. ${enterLeftBehind}`;
}

/** What store IT does about operations that are only in the file that was put aside. */
export const enterLeftBehind =
  'Compare them with the receipts: what the service does not have, enter again under another reference';

function named(references: readonly string[]): string {
  const more = references.length > mostNamed ? ` and ${references.length - mostNamed} more` : '';
  return `${references.slice(0, mostNamed).join(', ')}${more}`;
}

/** @param missing null: nobody has counted them, and `unknown` says what is known */
function missingInWords(missing: number | null, unknown: string): string {
  if (missing === null) return unknown;
  if (missing === 0) return 'no operation is missing';
  return `${missing} ${missing === 1 ? 'operation is' : 'operations are'} missing`;
}
