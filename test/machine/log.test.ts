import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileLog, createLog } from '../../app/machine/log.ts';
import { rollingFile } from '../../app/machine/log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the log', () => {
  it('holds no key, token, customer or code, by name or by shape', () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line) });
    log.info(
      {
        api_key: 'AAA1',
        request: { authorization: 'AAA2', body: { identifier: { phone: 'AAA3' }, otp: 'AAA4' } },
        headers: { authorization: 'AAA5' },
        row: { loyalty_id: 'AAA6', customerName: 'AAA7' },
        error: new Error('refused Bearer AAA8 for loyalty_pk_test_AAA9 of fatima@example.com, +96550001234'),
      },
      'key loyalty_pk_live_AAA0 of +965 5000 1234',
    );
    const text = lines.join('');
    expect(text).not.toMatch(/AAA\d|fatima|5000/);
    expect(text).toContain('[removed]');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: expect.stringContaining('loyalty_pk_live_[removed]') });
  });

  it('keeps times and ids as they are', () => {
    const lines: string[] = [];
    createLog({ write: (line) => lines.push(line) }).warn({ at: '2026-11-20T18:13:00.000Z', id: 'txn_01JD' }, 'm');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ at: '2026-11-20T18:13:00.000Z', id: 'txn_01JD' });
  });

  it('gives a terminal that shows it nothing to obey, and a program the same text', () => {
    const attack = '\u001b[2J\u009b31m\u009d0;owned\u009c\u202e\u007f';
    const lines: string[] = [];
    createLog({ write: (line) => lines.push(line) }).warn({ reference: attack, error: new Error(attack) }, attack);
    expect(lines.join('')).toContain('owned');
    expect(lines.join('')).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ reference: attack, error: { message: attack }, msg: attack });
  });

  it('rolls over when full and keeps a bounded number of files', () => {
    const path = join(folder, 'logs', 'agent.log');
    const file = rollingFile(path, { maxBytes: 1000, keptFiles: 3 });
    for (let count = 0; count < 100; count += 1) file.write(`${String(count).padStart(99, '.')}\n`);
    const names = readdirSync(join(folder, 'logs')).toSorted();
    expect(names).toEqual(['agent.log.1', 'agent.log.2']);
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('99\n');
    file.write('next\n');
    expect(readFileSync(path, 'utf8')).toBe('next\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that cannot be written stops nobody', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    createFileLog(join(file, 'agent.log')).info({}, 'lost');
  });
});
