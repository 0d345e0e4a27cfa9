import { describe, expect, it } from 'vitest';
import { restoreInWords, restoreResult, tookEverything } from '../../app/commands/tillbridge/restore-result.ts';
import type { Recovery } from '../../app/store/carrying/carrying.ts';

type Facts = Parameters<typeof restoreResult>[0];

const recovery: Recovery = {
  atMs: 0,
  aside: 'before.sqlite',
  why: 'restored',
  carried: 2,
  renewed: 1,
  unreadable: 0,
};
const resultOf = (own: Partial<Facts['restored']> = {}, rest: Partial<Facts> = {}) =>
  restoreResult({
    file: '/stick/till.backup',
    mode: 'sandbox',
    operationCount: 5,
    isAnotherTills: false,
    wasGone: false,
    restored: { recovery, earlier: null, strayLog: null, refusedRows: 0, foreign: [], ...own },
    ...rest,
  });
const linesOf = (...facts: Parameters<typeof resultOf>) => restoreInWords(resultOf(...facts)).split('\n');

describe('the result of a restore', () => {
  it('is one object for programs', () => {
    expect(JSON.stringify(resultOf())).toBe(
      '{"file":"/stick/till.backup","mode":"sandbox","operations":5,"carried":3,"renewed":1,"unreadable":0,' +
        '"aside":"before.sqlite","was_gone":false,"stray_log":null,"is_another_tills":false,"refused_rows":0,"not_taken":[],' +
        '"left_out_references":[],"left_behind_references":[],"finished_first":null}',
    );
  });

  it('counts what is in the database now', () => {
    const own = { recovery: { ...recovery, gaveWay: ['R-1', 'R-2'] } };
    expect(resultOf(own)).toMatchObject({ operations: 3, left_out_references: ['R-1', 'R-2'] });
    expect(resultOf({ recovery: null })).toMatchObject({ carried: 0, renewed: 0, unreadable: 0 });
  });

  it('tells what came of a restore that had been cut short', () => {
    const earlier = { ...recovery, aside: 'first.sqlite', leftBehind: ['R-3'] };
    expect(resultOf({ earlier }).finished_first).toEqual({
      aside: 'first.sqlite',
      left_out_references: [],
      left_behind_references: ['R-3'],
    });
  });
});

describe('a restore took everything', () => {
  it('unless something was left out, left behind, or could not be read, then or before', () => {
    expect(tookEverything(resultOf())).toBe(true);
    const lacking: readonly Partial<Facts['restored']>[] = [
      { refusedRows: 1 },
      { recovery: { ...recovery, unreadable: 1 } },
      { recovery: { ...recovery, unreadable: null } },
      { recovery: { ...recovery, gaveWay: ['R-1'] } },
      { recovery: { ...recovery, leftBehind: ['R-1'] } },
      { earlier: { ...recovery, gaveWay: ['R-1'] } },
      { earlier: { ...recovery, leftBehind: ['R-1'] } },
    ];
    expect(lacking.map((own) => tookEverything(resultOf(own)))).toEqual(lacking.map(() => false));
  });

  it('also where another till made the backup, or a log was strange', () => {
    expect(
      tookEverything(resultOf({ strayLog: 'stray.sqlite-wal', foreign: ['a view'] }, { isAnotherTills: true })),
    ).toBe(true);
  });
});

describe('a restore in words', () => {
  it('has a line for each thing, and ends with one', () => {
    expect(linesOf()).toEqual([
      'Restored 5 operations of sandbox mode.',
      '2 that are newer were carried over from the database before, and 1 that had moved on since; 0 could not be read.',
      'The database before is now before.sqlite.',
      '',
    ]);
  });

  it('of one operation into an empty folder', () => {
    const [first, , third] = linesOf({ recovery: null }, { operationCount: 1 });
    expect([first, third]).toEqual(['Restored 1 operation of sandbox mode.', 'There was no database before.']);
  });

  it('says that nobody knows how much was lost, and of what', () => {
    const lines = linesOf({ recovery: { ...recovery, unreadable: null } });
    expect(lines[1]).toContain('how many could not be read is unknown');
    expect(lines[3]).toMatch(/^That one was not whole/);
    expect(linesOf({ recovery: { ...recovery, aside: null, unreadable: null } })).toHaveLength(4);
  });

  it('of a database that was deleted says so, and what that means', () => {
    const lines = linesOf({ recovery: { ...recovery, aside: null, unreadable: null } }, { wasGone: true });
    expect(lines.slice(2)).toEqual([
      "The database that was here is gone: operations may be missing. Compare with the day's totals.",
      '',
    ]);
    // Its log was still there.
    const kept = linesOf({ recovery: { ...recovery, aside: 'before.sqlite-wal' } }, { wasGone: true });
    expect(kept[2]).toBe('The database before is now before.sqlite-wal.');
  });

  it('of an earlier one that had nothing to put aside names no file', () => {
    const [first] = linesOf({ earlier: { ...recovery, aside: null } });
    expect(first).toMatch(/That was finished first\.$/);
  });

  it('names what is not in the database, each in its place', () => {
    const lines = linesOf(
      {
        recovery: { ...recovery, gaveWay: ['R-1', 'R-2'], leftBehind: ['R-3'] },
        earlier: { ...recovery, aside: 'first.sqlite', gaveWay: ['R-4'], leftBehind: ['R-5'] },
        strayLog: 'stray.sqlite-wal',
        refusedRows: 2,
        foreign: ['a trigger', 'a view'],
      },
      { isAnotherTills: true },
    );
    expect(lines).toEqual([
      expect.stringMatching(/cut short.*the one before it is first\.sqlite\.$/),
      'Only in the backup that was restored then: R-4. Keep that file.',
      expect.stringMatching(/^Only in first\.sqlite: R-5\. .*\.$/),
      'Restored 3 operations of sandbox mode.',
      expect.stringMatching(/^This is the backup of another till/),
      '2 rows of the backup are not operations. They were left out.',
      expect.stringMatching(/: a trigger, a view\. Somebody has changed the file\.$/),
      expect.stringMatching(/^Left out of the backup: R-1, R-2\./),
      expect.stringMatching(/Keep \/stick\/till\.backup\.$/),
      expect.stringContaining('carried over from the database before'),
      expect.stringMatching(/^Not carried over: R-3\./),
      expect.stringMatching(/^They are in the database before alone\./),
      'The database before is now before.sqlite.',
      expect.stringMatching(/is now stray\.sqlite-wal\. It was not used\.$/),
      '',
    ]);
  });
});
