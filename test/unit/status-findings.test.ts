import { describe, expect, it } from 'vitest';
import { embeddedSandboxBaseUrl } from '../../app/core/embedded-sandbox.ts';
import { checkStatus, type Status } from '../../app/doctor/check-status.ts';
import type { DatabaseNotice } from '../../shared/till/views.ts';
import { noOperations } from '../support/fake-records.ts';

type RecoveryNotice = Extract<DatabaseNotice, { code: 'database_recovered' }>;

const since = '2026-11-21T08:00:00.000Z';
const well: Status = {
  mode: 'sandbox',
  connection: { state: 'online', cause: null, since },
  operations: noOperations,
  oldest_waiting_at: null,
  window: { hours: 72, seconds_left: null },
  clock_skew_ms: null,
  versions: { tillbridge: '1.0.0' },
  service: { base_url: embeddedSandboxBaseUrl, last_answer_at: null },
  notices: [],
};

function findingOf(check: string, status: Partial<Status>) {
  return checkStatus({ ...well, ...status }, '1.0.0').find((finding) => finding.check === check);
}

describe('to the doctor, a restored backup', () => {
  const restored: RecoveryNotice = {
    code: 'database_recovered',
    at: since,
    aside: 'sandbox.before-restore-20261121T080000.sqlite',
    why: 'restored',
    carried: 5,
    unreadable: 0,
    last_backup_at: null,
  };

  it('is a warning where nothing was left out and all could be read', () => {
    expect(findingOf('notice', { notices: [restored] })).toMatchObject({
      verdict: 'warning',
      says: `A backup was restored at ${since}; the database before is now ${restored.aside}: 5 newer operations were carried over from it, 0 could not be read`,
    });
  });

  it.each<readonly [Partial<RecoveryNotice>, string]>([
    [{ unreadable: 1 }, '5 newer operations were carried over from it, 1 could not be read'],
    [{ unreadable: null, carried: 1 }, '1 newer operation was carried over from it, the number of lost'],
    [{ left_out_references: ['R-1'] }, 'Left out of the backup'],
    [{ left_behind_references: ['R-1'] }, 'Only in the old file'],
    [{ aside: null }, `A backup was restored at ${since}: 5 newer operations were carried over, 0`],
    [{ why: 'damaged' }, `The database was replaced at ${since}; the old file is`],
  ])('says what there is to say: %o', (more, says) => {
    const finding = findingOf('notice', { notices: [{ ...restored, ...more }] });
    expect(finding?.says).toContain(says);
    expect(finding?.verdict).toBe('aside' in more ? 'warning' : 'problem');
  });
});

describe('to the doctor, a line that is down', () => {
  const connection = { state: 'offline', cause: 'offline', since } as const;

  it('is practice where the service is the sandbox of the till', () => {
    expect(findingOf('connection', { connection })).toMatchObject({
      verdict: 'problem',
      advice: expect.stringMatching(/practice.*More, Sandbox lab.*DELETE \/_sandbox\/faults/),
    });
  });

  it('is none with any other service', () => {
    const service = { base_url: 'https://loyalty.example/v1', last_answer_at: null };
    expect(findingOf('connection', { connection, service })?.advice).toBe('Keep selling. See the lines below');
  });
});
