import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Notice } from '../../shared/till/views.ts';

/** A notice for store IT: what it is and what to do. */
export function noticeInWords(notice: Notice): string {
  switch (notice.code) {
    case 'database_damaged':
      return 'A page of the database cannot be read; start the agent again, it carries over what can be read';
    case 'database_recovered': {
      const { at, aside, carried, unreadable } = notice;
      return `The database was replaced at ${at}: ${carried} operations were carried over, ${unreadable} could not be read; the old one is ${aside}`;
    }
    case 'disk_nearly_full':
      return `Only ${Math.floor(notice.free_bytes / 1024 / 1024)} MB are left on the disk; sales stop when nothing is left`;
    case 'queue_nearly_full':
      return `${notice.waiting} of at most ${notice.limit} operations wait; sales stop at the limit`;
    case 'key_changed':
      return `The API key is another one than before, and ${notice.waiting} operations wait: what the other key had sent is looked up first; what this one does not see waits for a person`;
    case 'production_waiting':
      return `${notice.waiting} operations of production mode wait; ${notice.is_sending ? 'they go out in the background' : 'they go out once the agent is in production mode again'}`;
    default:
      return assertNever(notice);
  }
}
