import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Notice } from '../../shared/till/views.ts';
import { makeRoom, megabytesIn } from '../machine/disk-room.ts';

/** A notice for store IT: what it is and what to do. */
export function noticeInWords(notice: Notice): string {
  switch (notice.code) {
    case 'not_saving':
      return `Sales are refused since ${notice.since}: ${savingTroubleInWords(notice)}`;
    case 'database_damaged':
      return 'A page of the database cannot be read; start the agent again, it carries over what can be read';
    case 'database_recovered':
      return recoveryInWords(notice);
    case 'disk_nearly_full':
      return `Only ${megabytesIn(notice.free_bytes)} are left on the disk; sales stop when nothing is left`;
    case 'queue_nearly_full':
      return `${notice.waiting} of at most ${notice.limit} operations wait; sales stop at the limit`;
    case 'key_changed':
      return `The API key is another one than before, and ${notice.waiting} operations wait: what the other key had sent is looked up first; what this one does not see waits for a person`;
    case 'settings_lost':
      return `The settings cannot be used, nor what they said before: sales are taken with defaults, in ${notice.mode} mode. Mend the settings file and start the agent again`;
    case 'sandbox_began_anew':
      return `The sandbox's own books could not be read and are kept as ${notice.aside}; it begins anew`;
    case 'backup_late': {
      const last = notice.last_at === null ? 'No backup was made yet' : `The last backup is from ${notice.last_at}`;
      return notice.reason === null ? last : `${last}: ${notice.reason}`;
    }
    case 'production_waiting':
      return `${notice.waiting} operations of production mode wait; ${notice.is_sending ? 'they go out in the background' : 'they go out once the agent is in production mode again'}`;
    default:
      return assertNever(notice);
  }
}

function savingTroubleInWords({ why, reason }: Extract<Notice, { code: 'not_saving' }>): string {
  switch (why) {
    case 'locked':
      return `another program has locked the database (${reason}). Close what reads the data folder: a database viewer, a backup program, a virus scanner. Sales go on by themselves then`;
    case 'disk_full':
      return `the disk is full. ${makeRoom}. Sales go on by themselves then`;
    case 'disk_refuses':
      return `the disk takes no change (${reason}). Look at the disk and at the rights of the data folder. Sales go on by themselves then`;
    default:
      return assertNever(why);
  }
}

type RecoveryNotice = Extract<Notice, { code: 'database_recovered' }>;

function recoveryInWords(notice: RecoveryNotice): string {
  const { at, aside, why, carried, unreadable, last_backup_at: backupAt } = notice;
  const kept = aside === null ? '' : `; the old one is ${aside}`;
  const backup = `The last backup is ${backupAt === null ? 'unknown' : `from ${backupAt}`}`;
  const lost =
    unreadable === null ? `how many could not be read is unknown. ${backup}` : `${unreadable} could not be read`;
  const missing =
    unreadable === null ? '' : ` (${unreadable} ${unreadable === 1 ? 'operation is' : 'operations are'} missing)`;
  const carriedOver = `${carried} operations were carried over, ${lost}`;
  switch (why) {
    case 'restored':
    case 'damaged':
      return `The database was replaced at ${at}${kept}: ${carriedOver}`;
    case 'log_damaged':
      return `The newest part of the database was damaged, found at ${at}${kept}: ${carriedOver}`;
    case 'log_missing':
      return `The newest part of the database was gone at ${at}: what was saved last may be missing here${missing}. ${backup}`;
    case 'older':
      return `An older copy of the database was in its place at ${at}: what was saved since that copy is not here${missing}. ${backup}`;
    case 'another':
      return `The database of another till was in its place at ${at}: what this till had saved is not here${missing}. Put its own file or a backup of it back with "tillbridge restore FILE" while the agent is stopped; what was saved since is kept. ${backup}`;
    case 'missing':
      return `The database was gone at ${at}, and a new one was begun: what was in it is unknown${missing}. ${backup}`;
    case 'moved':
      return `The database's files were deleted, replaced or cut at ${at} while the agent ran; it goes on in a new file${kept}: ${carriedOver}`;
    default:
      return assertNever(why);
  }
}
