import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { AuditLog } from '../../app/audit/audit-log.ts';
import { readAudit } from '../../app/audit/read-audit.ts';
import { temporaryFolder } from '../support/core-rows.ts';

const key = Buffer.alloc(32, 7);
const added = (person: string): AuditEvent => ({ event: 'person_added', person, role: 'manager', by: 'Mona' });

let folder: ReturnType<typeof temporaryFolder>;
let nowMs = Date.parse('2026-11-20T08:00:00Z');
const failures: unknown[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  nowMs = Date.parse('2026-11-20T08:00:00Z');
  failures.length = 0;
});
afterEach(() => folder.remove());

const openLog = (maxBytes?: number, isBegun = false) =>
  new AuditLog({
    dataDir: folder.path,
    key,
    isBegun,
    nowMs: () => nowMs,
    onFailed: (error) => failures.push(error),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });

function note(...events: readonly AuditEvent[]): void {
  const log = openLog();
  for (const event of events) log.note(event);
  log.close();
}

const linesOf = () => readFileSync(folder.file('audit.jsonl'), 'utf8').trimEnd().split('\n');
const write = (lines: readonly string[]) => writeFileSync(folder.file('audit.jsonl'), `${lines.join('\n')}\n`);
const breaks = () => readAudit(folder.path, key).breaks;

describe('the audit log', () => {
  it('tells what happened, in its order, over restarts', () => {
    note(added('Huda'));
    note({ event: 'token_revoked', token_name: 'kiosk', by: null });
    const { entries, head } = readAudit(folder.path, key);
    expect(entries).toEqual([
      { n: 1, at: '2026-11-20T08:00:00.000Z', event: 'person_added', person: 'Huda', role: 'manager', by: 'Mona' },
      { n: 2, at: '2026-11-20T08:00:00.000Z', event: 'token_revoked', token_name: 'kiosk', by: null },
    ]);
    expect(breaks()).toEqual([]);
    expect(head.number).toBe(2);
  });

  it('says that it is gone where an agent has run, and that its oldest files are', () => {
    const whole = { hasRun: true };
    expect(readAudit(folder.path, null, whole).breaks).toEqual([]);
    expect(readAudit(folder.path, key).breaks).toEqual([]);
    expect(readAudit(folder.path, key, whole).breaks).toEqual([{ line: 1, why: 'all_gone' }]);
    const log = openLog(1);
    for (let index = 0; index < 3; index += 1) log.note(added(`P${index}`));
    log.close();
    expect(readAudit(folder.path, key, whole).breaks).toEqual([]);
    rmSync(folder.file('audit.2.jsonl'));
    expect(readAudit(folder.path, key, whole).breaks).toEqual([{ line: 1, why: 'missing' }]);
  });

  it.each<[string, (lines: string[]) => readonly string[], readonly unknown[]]>([
    ['changed', (lines) => lines.map((line) => line.replace('"B"', '"X"')), [{ line: 2, why: 'mac' }]],
    ['taken away', (lines) => lines.toSpliced(1, 1), [{ line: 2, why: 'missing' }]],
    ['put in', (lines) => lines.toSpliced(1, 0, lines[0] ?? ''), [{ line: 2, why: 'missing' }]],
    ['turned round', (lines) => lines.toReversed(), [1, 2, 3].map((line) => ({ line, why: 'missing' }))],
    ['cut off at the beginning', (lines) => lines.slice(1), [{ line: 1, why: 'missing' }]],
    ['no entry', (lines) => lines.toSpliced(1, 0, 'nothing'), [{ line: 2, why: 'no_entry' }]],
  ])('shows where an entry was %s', (_, tamper, found) => {
    note(added('A'), added('B'), added('C'));
    write(tamper(linesOf()));
    expect(breaks()).toEqual(found);
  });

  it('shows an entry that another key has made', () => {
    note(added('A'));
    expect(readAudit(folder.path, Buffer.alloc(32, 8)).breaks).toEqual([{ line: 1, why: 'mac' }]);
    expect(readAudit(folder.path, null).breaks).toEqual([{ line: 1, why: 'mac' }]);
  });

  it('goes on behind a name with a separator of lines in it', () => {
    note(added('A\u2028B'));
    note(added('C'));
    note(added('D'));
    expect(breaks()).toEqual([]);
    expect(readAudit(folder.path, key).entries.map(({ n, person }) => ({ n, person }))).toEqual([
      { n: 1, person: 'A\u2028B' },
      { n: 2, person: 'C' },
      { n: 3, person: 'D' },
    ]);
  });

  it('goes on behind an entry that a power cut has left half', () => {
    note(added('A'));
    writeFileSync(folder.file('audit.jsonl'), `${linesOf().join('\n')}\n{"n":2,"at":"2026`);
    note(added('B'));
    expect(breaks()).toEqual([]);
    expect(readAudit(folder.path, key).entries.map(({ person }) => person)).toEqual(['A', 'B']);
  });

  it.each([
    ['deleted', null, [{ line: 1, why: 'missing' }]],
    ['emptied', '', [{ line: 1, why: 'missing' }]],
    ['filled with nothing', '\0'.repeat(300), [{ line: 1, why: 'missing' }]],
    ['one half entry', '{"n":1,"at":"2026', [{ line: 1, why: 'missing' }]],
    [
      'replaced by half a line that is no entry',
      'rubbish',
      [
        { line: 1, why: 'no_entry' },
        { line: 2, why: 'missing' },
      ],
    ],
    ['replaced by more of it than a file takes', 'rubbish'.repeat(400), [{ line: 1, why: 'no_entry' }]],
  ])('that was %s before a start tells so ever after', (_, content, found) => {
    note(added('A'), added('B'));
    rmSync(folder.file('audit.jsonl'));
    if (content !== null) writeFileSync(folder.file('audit.jsonl'), content);
    for (const person of ['C', 'D']) {
      const log = openLog(2_000, true);
      log.note(added(person));
      log.close();
      expect(breaks()).toEqual(found);
    }
    expect(readAudit(folder.path, key).entries.flatMap(({ person }) => person ?? [])).toEqual(['C', 'D']);
  });

  it('keeps what stands behind its entries and is none, and tells it', () => {
    note(added('A'));
    writeFileSync(folder.file('audit.jsonl'), `${linesOf().join('\n')}\nrubbish`);
    note(added('B'));
    expect(breaks()).toEqual([{ line: 2, why: 'no_entry' }]);
    expect(readAudit(folder.path, key).entries.map(({ n, person }) => [n, person])).toEqual([
      [1, 'A'],
      [2, 'B'],
    ]);
  });

  it('says where it goes on, also when a power cut came right after its file was put aside', () => {
    note(added('A'), added('B'));
    renameSync(folder.file('audit.jsonl'), folder.file('audit.1.jsonl'));
    note(added('C'));
    expect(linesOf().map((line) => JSON.parse(line).event)).toEqual(['continued', 'person_added']);
    expect(breaks()).toEqual([]);
  });

  it.each<[string, (path: string) => void, readonly unknown[]]>([
    ['moved away', (path) => renameSync(path, folder.file('elsewhere')), [{ line: 1, why: 'missing' }]],
    ['deleted', (path) => rmSync(path), [{ line: 1, why: 'missing' }]],
    ['put aside as this program puts it', (path) => renameSync(path, folder.file('audit.1.jsonl')), []],
    [
      'replaced by a shorter one',
      (path) => {
        const [first = ''] = linesOf();
        renameSync(path, folder.file('elsewhere'));
        write([first]);
      },
      [{ line: 2, why: 'missing' }],
    ],
    [
      'replaced by a copy',
      (path) => {
        const lines = linesOf();
        rmSync(path);
        write(lines);
      },
      [],
    ],
  ])('goes on in its own place where its file is %s while the agent runs, and tells the gap', (_, take, found) => {
    const log = openLog();
    log.note(added('A'));
    log.note(added('B'));
    take(folder.file('audit.jsonl'));
    log.note(added('C'));
    log.note(added('D'));
    log.close();
    note(added('E'));
    expect(failures).toEqual([]);
    const { entries, breaks: told, head } = readAudit(folder.path, key);
    expect(entries.slice(-3).map(({ person }) => person)).toEqual(['C', 'D', 'E']);
    expect(told).toEqual(found);
    expect(head.number).toBeGreaterThanOrEqual(5);
  });

  it('has 30 entries an hour of what outsiders bring about, and counts the others', () => {
    const log = openLog();
    for (let times = 0; times < 500; times += 1) log.note({ event: 'token_wrong', door: 'bridge' });
    log.note(added('A'));
    nowMs += 3_600_000;
    log.note({ event: 'token_wrong', door: 'bridge' });
    log.close();
    const { entries } = readAudit(folder.path, key);
    expect(entries.map(({ event }) => event)).toEqual([
      ...Array.from({ length: 30 }, () => 'token_wrong'),
      'person_added',
      'more',
      'token_wrong',
    ]);
    expect(entries.find(({ event }) => event === 'more')).toMatchObject({ of: 'token_wrong', count: 470 });
    expect(breaks()).toEqual([]);
  });

  it('is bounded: the oldest file goes, and the chain holds from the one that is left', () => {
    const log = openLog(2_000);
    for (let number = 0; number < 400; number += 1) log.note(added(`Person ${number}`));
    log.close();
    const { entries, breaks: found, head } = readAudit(folder.path, key);
    expect(found).toEqual([]);
    expect(entries[0]).toMatchObject({ event: 'continued' });
    expect(head.number).toBeGreaterThan(400);
    expect(entries.length).toBeLessThan(140);
    // A file from the middle that is gone is a gap.
    rmSync(folder.file('audit.3.jsonl'));
    expect(breaks()).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('writes into no file of somewhere else through a link', () => {
    writeFileSync(folder.file('notes.txt'), 'half a line');
    symlinkSync(folder.file('notes.txt'), folder.file('audit.jsonl'));
    note(added('A'));
    expect(failures).toMatchObject([{ message: expect.stringContaining('audit.jsonl is a link') }]);
    expect(readFileSync(folder.file('notes.txt'), 'utf8')).toBe('half a line');
  });

  it('stops nothing when it cannot be written', () => {
    const log = new AuditLog({
      dataDir: folder.file('not/there'),
      key,
      isBegun: false,
      nowMs: () => nowMs,
      onFailed: (error) => failures.push(error),
    });
    log.note(added('A'));
    log.close();
    expect(failures).toHaveLength(1);
  });
});
