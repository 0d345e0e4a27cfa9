import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../app/store/database/open.ts';
import { openStates } from '../../shared/machines/operation.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import {
  keepingLists,
  type NamedStatement,
  planOf,
  scanning,
  sorting,
  statementsIn,
  unusedPartialIndexes,
} from '../support/statement-plans.ts';

const store = join(import.meta.dirname, '..', '..', 'app', 'store');

describe('the statements of the agent', () => {
  const folder = temporaryFolder();
  let statements: readonly NamedStatement[];
  let database: Database;
  beforeAll(async () => {
    statements = await statementsIn(join(store, 'statements'));
    database = openDatabase(folder.file('agent.sqlite'));
  });
  afterAll(() => {
    database.close();
    folder.remove();
  });

  it('are all here', () => {
    expect(statements.length).toBeGreaterThan(130);
  });

  it('find their rows by an index, but for those that want them all', () => {
    expect(scanning(database, statements)).toEqual([
      // After a recovery everything is looked at, once.
      'carry-over.closedDays',
      'carry-over.notProven',
      'carry-over.recount',
      'carry-over.watchPutBack',
      // Ten rows; all of them, where the counters were found wrong; and a copy is counted to be sure of it.
      'counts.byHand',
      'counts.list',
      'counts.total',
      // With a LIMIT, and in the order of the key.
      'days.closes',
      // Some hundred profiles, of which many go at once.
      'kept-profiles.all',
      'kept-profiles.beyond',
      'kept-profiles.names',
      'kept-profiles.newest',
      'kept-profiles.outside',
      'kept-profiles.profiles',
      // As the days.
      'last.last',
      // The shop's people.
      'people.all',
      // Once, at the first start of a version that seals; and the doctor's.
      'seals.breakAll',
      'seals.unsealed',
      'seals.waiting',
      // A handful, in the order in which they are due; and all of them.
      'watches.due',
      'watches.shift',
    ]);
  });

  it('sort nothing, but for a few rows that have no index of their order', () => {
    expect(sorting(database, statements)).toEqual([
      // All rows by their state, where the counters were found wrong.
      'counts.byHand',
      // Counts by what is alike, of some thousand rows at a time or of one day.
      'days.carried',
      'days.carriedStates',
      'days.daysIn',
      'days.tally',
      'days.tallyLate',
      // A day of changes.
      'hours.changes',
      'operations.byReference',
      // A handful of lines.
      'operations.history',
      'people.all',
      // Of one reference; and what is unknown for long.
      'rows.enrollmentsUnder',
      // What of one reversal may be it: those that are not known, and one.
      'rows.passedOnReversals',
      'rows.unknown',
    ]);
  });

  it('write a sale, and what becomes of it, without a list that is built for each row', () => {
    const ofOperations = statements.filter(({ name }) => name.startsWith('operations.'));
    expect(keepingLists(database, ofOperations)).toEqual([
      // The rows of a whole window, by one statement.
      'operations.insertMarkEvents',
      'operations.mark',
      'operations.markFirst',
    ]);
  });

  it('use every partial index', () => {
    expect(unusedPartialIndexes(database, statements)).toEqual([]);
  });

  it('reach the rows of an open state by the index of that state, or by their keys', () => {
    const elsewhere = statements.flatMap((statement) => {
      const plan = planOf(database, statement);
      const states = [...statement.text.matchAll(/"state" = '(\w+)'/g)].map(([, state]) => state);
      const missed = openStates.filter((open) => states.includes(open) && !plan.includes(`INDEX operations_${open}`));
      return missed.length === 0 || /INTEGER PRIMARY KEY \(rowid=\?\)|INDEX operations_found/.test(plan)
        ? []
        : [statement.name];
    });
    // After a recovery, once.
    expect(elsewhere).toEqual(['carry-over.notProven']);
  });

  it('are not planned again for each value that they are given', () => {
    const open = statements.filter(({ text }) =>
      /(?<!\+)\?/.test(text.replace(/^(insert|update)\b.*?( where |$)/s, '')),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });
});
