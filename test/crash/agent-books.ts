import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'vitest';
import { countsIn } from '../../app/store/tables/counts.ts';
import { operationMachine } from '../../shared/machines/operation.ts';
import { stepsOf } from '../support/machine-steps.ts';

interface BookEvent {
  readonly row_id: number;
  readonly version: number;
  readonly from_state: string | null;
  readonly to_state: string;
  readonly cause: string | null;
}

/** How many operations are in each state. */
type StateCount = Readonly<Record<string, number>>;

const allowed = new Set(stepsOf(operationMachine).map(({ from, to }) => `${from}>${to}`));

/**
 * The books of the agent: sound, every history without a gap, made of allowed steps only and ended where its row
 * stands, the counters as many as the rows.
 */
export function readSoundBooks(
  path: string,
  where = '',
): { readonly events: readonly BookEvent[]; readonly counts: StateCount } {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true }), where).toBe('ok');
    const events = database
      .prepare<[], BookEvent>(
        'SELECT row_id, version, from_state, to_state, cause FROM operation_history ORDER BY row_id, version',
      )
      .all();
    const rows = database
      .prepare<[], { row_id: number; state: string; version: number }>('SELECT row_id, state, version FROM operations')
      .all();
    const last = new Map<number, BookEvent>();
    for (const event of events) {
      const before = last.get(event.row_id);
      expect(event.version, where).toBe((before?.version ?? 0) + 1);
      expect(event.from_state, where).toBe(before?.to_state ?? null);
      if (before !== undefined) expect(allowed, where).toContain(`${event.from_state}>${event.to_state}`);
      last.set(event.row_id, event);
    }
    const ends = [...last.values()].map(({ row_id, to_state, version }) => ({ row_id, state: to_state, version }));
    expect(ends, where).toEqual(rows);
    const counts: Record<string, number> = {};
    for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
    const counted = countsIn(database).filter(({ count }) => count !== 0);
    expect(Object.fromEntries(counted.map(({ state, count }) => [state, count])), where).toEqual(counts);
    return { events, counts };
  } finally {
    database.close();
  }
}
