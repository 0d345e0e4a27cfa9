import { describe, expect, it } from 'vitest';
import { type NoticeFacts, noticesOf } from '../../app/core/notices.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { leastFreeBytes } from '../../app/machine/disk-watch.ts';

const nowMs = Date.parse('2026-11-21T08:00:00.000Z');
const well: NoticeFacts = {
  nowMs,
  freeBytes: leastFreeBytes,
  waitingCount: 10,
  maxQueue: 100,
  notSaving: null,
  recovery: null,
  lastBackupAtMs: null,
  isDamaged: false,
  hasOtherKey: false,
};
const recovery = {
  atMs: nowMs - 1_000,
  aside: 'till.damaged.sqlite',
  why: 'damaged',
  carried: 3,
  renewed: 2,
  unreadable: 1,
} as const;

describe('what a person should know before it stops sales', () => {
  it('is nothing while all is well, or the system does not say how much room there is', () => {
    expect(noticesOf(well)).toEqual([]);
    expect(noticesOf({ ...well, freeBytes: null })).toEqual([]);
  });

  it('is a disk with less than 200 MB left', () => {
    expect(noticesOf({ ...well, freeBytes: leastFreeBytes - 1 })).toEqual([
      { code: 'disk_nearly_full', free_bytes: leastFreeBytes - 1 },
    ]);
  });

  it('is a queue from nine tenths of its limit on', () => {
    expect(noticesOf({ ...well, waitingCount: 89 })).toEqual([]);
    expect(noticesOf({ ...well, waitingCount: 90 })).toEqual([{ code: 'queue_nearly_full', waiting: 90, limit: 100 }]);
  });

  it('is another API key than before, as long as something waits', () => {
    expect(noticesOf({ ...well, hasOtherKey: true })).toEqual([{ code: 'key_changed', waiting: 10 }]);
    expect(noticesOf({ ...well, hasOtherKey: true, waitingCount: 0 })).toEqual([]);
  });

  it('is a damaged database, and for a week that one was replaced', () => {
    expect(noticesOf({ ...well, isDamaged: true })).toEqual([{ code: 'database_damaged' }]);
    expect(noticesOf({ ...well, recovery })).toEqual([
      {
        code: 'database_recovered',
        at: '2026-11-21T07:59:59.000Z',
        aside: recovery.aside,
        why: 'damaged',
        carried: 5,
        unreadable: 1,
        last_backup_at: null,
      },
    ]);
    const aside = 'sandbox.before-restore-20261121T075959.sqlite';
    expect(noticesOf({ ...well, recovery: { ...recovery, why: 'restored', aside } })).toMatchObject([
      { aside, why: 'restored' },
    ]);
  });

  it('is for that week, too, what a restore has left out', () => {
    const notices = noticesOf({ ...well, recovery: { ...recovery, why: 'restored', gaveWay: ['R-1', 'R-2'] } });
    expect(notices).toMatchObject([{ left_out_references: ['R-1', 'R-2'] }]);
    expect(notices.map(noticeInWords)[0]).toContain('or because they take such a one back: R-1, R-2.');
  });

  it('is for that week, too, what stayed in the file that was put aside', () => {
    const notices = noticesOf({ ...well, recovery: { ...recovery, why: 'restored', leftBehind: ['R-1', 'V-1'] } });
    expect(notices).toMatchObject([{ left_behind_references: ['R-1', 'V-1'] }]);
    expect(notices.map(noticeInWords)[0]).toContain('or because they take such a one back: R-1, V-1. Compare them');
  });

  it('is nothing of a database that was replaced more than a week ago', () => {
    expect(noticesOf({ ...well, recovery: { ...recovery, atMs: nowMs - 7 * 86_400_000 } })).toEqual([]);
  });

  it('is told of production with what is typed for its database, and with what stands still there', () => {
    const at = '2026-11-21T08:00:00.000Z';
    const [own] = noticesOf({ ...well, recovery: { ...recovery, why: 'another' } });
    if (own?.code !== 'database_recovered') throw new Error('Nothing is told');
    expect(noticeInWords(own)).toContain('restore FILE"');
    expect(noticeInWords({ code: 'production_database', trouble: own })).toContain('restore FILE --mode production"');
    const notSaving = { code: 'not_saving', why: 'locked', since: at, reason: 'database is locked' } as const;
    expect(noticeInWords(notSaving)).toMatch(/^Sales are refused since .*: a database viewer.* Then sales go on$/);
    expect(noticeInWords({ code: 'production_database', trouble: notSaving })).toMatch(
      /^Production mode: Nothing is sent since .* Then sending goes on$/,
    );
  });
});
