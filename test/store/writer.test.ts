import BetterSqlite3, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../app/store/database/open.ts';
import { Writer, type WriterSchedule } from '../../app/store/database/writer.ts';
import { temporaryFolder } from '../support/core-rows.ts';

/** A schedule that a test works by hand. */
class ManualSchedule implements WriterSchedule {
  readonly soonCallbacks: (() => void)[] = [];
  laterDelays: number[] = [];
  #later: (() => void) | null = null;

  soon(callback: () => void): void {
    this.soonCallbacks.push(callback);
  }
  later(callback: () => void, delayMs: number): () => void {
    this.laterDelays.push(delayMs);
    this.#later = callback;
    return () => {
      this.#later = null;
    };
  }
  get isLaterPending(): boolean {
    return this.#later !== null;
  }
  runSoon(): void {
    for (const callback of this.soonCallbacks.splice(0)) callback();
  }
  runLater(): void {
    const callback = this.#later;
    this.#later = null;
    callback?.();
  }
}

const folder = temporaryFolder();
let database: Database;
let other: Database;
let schedule: ManualSchedule;
let writer: Writer;
let fileNumber = 0;

beforeEach(() => {
  fileNumber += 1;
  database = openDatabase(folder.file(`${fileNumber}.sqlite`));
  database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT');
  other = new BetterSqlite3(folder.file(`${fileNumber}.sqlite`), { readonly: true });
  schedule = new ManualSchedule();
  writer = new Writer(database, schedule);
});
afterEach(() => {
  other.close();
  if (database.open) database.close();
  if (fileNumber > 100) folder.remove();
});

const note = (text: string) => () => {
  database.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
  return text;
};
const notesSeenByOthers = () =>
  (other.prepare('SELECT text FROM notes ORDER BY id').all() as { text: string }[]).map(({ text }) => text);
const commits = () => Number(database.pragma('data_version', { simple: true }));
const commitsSeenByOthers = () => Number(other.pragma('data_version', { simple: true }));

describe('what is written last', () => {
  it('sees what the others of its commit have written, whichever was asked for first', async () => {
    const seen = writer.urgentLast(() => database.prepare('SELECT text FROM notes ORDER BY id').pluck().all());
    const saved = [writer.urgent(note('first')), writer.lazy(note('second'))];
    schedule.runSoon();
    expect(await seen).toEqual(['first', 'second']);
    expect(await Promise.all(saved)).toEqual(['first', 'second']);
    expect(schedule.soonCallbacks).toEqual([]);
  });

  it('is committed alone when nothing else is', async () => {
    const saved = writer.urgentLast(note('alone'));
    schedule.runSoon();
    expect(await saved).toBe('alone');
  });
});

describe('urgent writes', () => {
  it('that arrive together are one commit, and each gets its own result', async () => {
    notesSeenByOthers();
    const before = commitsSeenByOthers();
    const writing = ['a', 'b', 'c'].map((text) => writer.urgent(note(text)));
    expect(notesSeenByOthers()).toEqual([]);
    expect(schedule.soonCallbacks).toHaveLength(1);
    schedule.runSoon();
    expect(await Promise.all(writing)).toEqual(['a', 'b', 'c']);
    expect(notesSeenByOthers()).toEqual(['a', 'b', 'c']);
    expect(commitsSeenByOthers() - before).toBe(1);
    expect(commits()).toBeGreaterThan(0);
  });

  it('are answered after the commit, not before', async () => {
    let answered = false;
    const writing = writer.urgent(note('a')).then(() => {
      answered = true;
      expect(notesSeenByOthers()).toEqual(['a']);
    });
    await Promise.resolve();
    expect(answered).toBe(false);
    schedule.runSoon();
    await writing;
    expect(answered).toBe(true);
  });

  it('stand alone: one that fails takes no neighbour with it', async () => {
    const writing = [
      note('a'),
      note('a'),
      note('b'),
      () => {
        throw new Error('spoiled');
      },
      note('c'),
    ].map((run) => writer.urgent<unknown>(run));
    schedule.runSoon();
    const outcomes = await Promise.allSettled(writing);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(notesSeenByOthers()).toEqual(['a', 'b', 'c']);
  });

  it('leave nothing behind of one that fails half-way', async () => {
    const writing = writer.urgent(() => {
      note('half')();
      throw new Error('stopped half-way');
    });
    schedule.runSoon();
    await expect(writing).rejects.toThrow('stopped half-way');
    expect(notesSeenByOthers()).toEqual([]);
    expect(database.inTransaction).toBe(false);
  });

  it('run again alone when a neighbour spoiled the batch, and give the result of the run that was committed', async () => {
    let runs = 0;
    const counting = writer.urgent(() => {
      runs += 1;
      note(`run ${runs}`)();
      return runs;
    });
    const spoiled = writer.urgent(() => {
      throw new Error('spoiled');
    });
    schedule.runSoon();
    await expect(spoiled).rejects.toThrow('spoiled');
    expect(await counting).toBe(2);
    expect(notesSeenByOthers()).toEqual(['run 2']);
  });

  it('that arrive while a batch is being committed are in the next one', async () => {
    let inner: Promise<string> | undefined;
    const outer = writer.urgent(() => {
      inner ??= writer.urgent(note('inner'));
      return note('outer')();
    });
    schedule.runSoon();
    await outer;
    expect(notesSeenByOthers()).toEqual(['outer']);
    schedule.runSoon();
    expect(await inner).toBe('inner');
    expect(notesSeenByOthers()).toEqual(['outer', 'inner']);
  });

  it('are refused once the database is closed', async () => {
    database.close();
    const writing = writer.urgent(() => 1);
    schedule.runSoon();
    await expect(writing).rejects.toThrow();
  });
});

describe('lazy writes', () => {
  it('wait for company, at most 25 ms', async () => {
    const writing = writer.lazy(note('a'));
    expect(schedule.soonCallbacks).toHaveLength(0);
    expect(schedule.laterDelays).toEqual([25]);
    schedule.runLater();
    expect(await writing).toBe('a');
  });

  it('wait longer where they may, until one comes that does not', async () => {
    const patient = writer.lazy(note('patient'), 100);
    const usual = writer.lazy(note('usual'));
    const another = writer.lazy(note('another'), 100);
    expect(schedule.laterDelays).toEqual([100, 25]);
    schedule.runLater();
    expect(await Promise.all([patient, usual, another])).toEqual(['patient', 'usual', 'another']);
  });

  it('ride along with an urgent one', async () => {
    const lazy = writer.lazy(note('lazy'));
    const urgent = writer.urgent(note('urgent'));
    schedule.runSoon();
    expect(await Promise.all([lazy, urgent])).toEqual(['lazy', 'urgent']);
    expect(schedule.isLaterPending).toBe(false);
  });

  it('do not wait when 128 are there', async () => {
    const writing = Array.from({ length: 128 }, (_, index) => writer.lazy(note(`n${index}`)));
    expect(schedule.soonCallbacks).toHaveLength(1);
    schedule.runSoon();
    await Promise.all(writing);
    expect(notesSeenByOthers()).toHaveLength(128);
  });

  it('are waited for again after each flush', async () => {
    const first = writer.lazy(note('a'));
    schedule.runLater();
    await first;
    const second = writer.lazy(note('b'));
    expect(schedule.laterDelays).toEqual([25, 25]);
    schedule.runLater();
    expect(await second).toBe('b');
  });

  it('are all committed by a flush, now', async () => {
    const writing = [writer.lazy(note('a')), writer.urgent(note('b'))];
    writer.flush();
    expect(notesSeenByOthers()).toEqual(['a', 'b']);
    await Promise.all(writing);
    schedule.runSoon();
    expect(notesSeenByOthers()).toEqual(['a', 'b']);
  });
});

describe('a database that another program holds', () => {
  it('fails the whole batch after one wait, not after one for each write', async () => {
    const holder = new BetterSqlite3(folder.file(`${fileNumber}.sqlite`));
    holder.exec('BEGIN IMMEDIATE');
    database.pragma('busy_timeout = 100');
    const writing = Array.from({ length: 100 }, (_, index) => writer.urgent(note(`n${index}`)));
    const startedAtMs = performance.now();
    schedule.runSoon();
    const tookMs = performance.now() - startedAtMs;
    const outcomes = await Promise.allSettled(writing);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(tookMs).toBeLessThan(5_000);
    holder.exec('ROLLBACK');
    holder.close();
    const again = writer.urgent(note('after'));
    schedule.runSoon();
    expect(await again).toBe('after');
  });
});
