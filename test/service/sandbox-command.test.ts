import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customerProfileSchema } from '../../shared/contract/profile.ts';
import { transactionAcceptedSchema } from '../../shared/contract/transaction.ts';
import { builtCli } from '../support/built-cli.ts';

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errorText: () => string;
  readonly exitCode: Promise<number | null>;
}

let folder: string;
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-sandbox-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[]): Run {
  const child = spawn(process.execPath, [builtCli(), 'sandbox', ...args], { stdio: 'pipe' });
  children.push(child);
  let output = '';
  let errorText = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errorText += chunk;
  });
  const exitCode = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return { child, output: () => output, errorText: () => errorText, exitCode };
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function ready(args: readonly string[]) {
  const started = run(['--json', ...args]);
  await until(() => started.output().includes('\n'));
  const line: { base_url: string; control_url: string; api_key: string } = JSON.parse(started.output());
  const call = async (path: string, body?: object, base = line.base_url): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${line.api_key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  return { ...started, line, call };
}

const earnBody = (externalRef: string) => ({
  identifier: { loyalty_id: 'LC-1001' },
  external_ref: externalRef,
  points: 1,
});

describe('the sandbox command', () => {
  test('--json prints one ready line and nothing else, and answers at the addresses in it', async () => {
    const sandbox = await ready([]);
    expect(sandbox.line).toEqual({
      ready: true,
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      control_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_sandbox$/),
      api_key: expect.stringMatching(/^loyalty_pk_test_/),
    });
    expect(await sandbox.call('/customers/identify', { loyalty_id: 'LC-1001' })).toMatchObject({ verified: true });
    expect(await sandbox.call('', undefined, sandbox.line.control_url)).toMatchObject({ clock: 'real' });
    await sandbox.call('/transactions/earn', earnBody('R-1'));
    expect(sandbox.output().split('\n')).toEqual([expect.any(String), '']);
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.exitCode).toBe(0);
    expect(sandbox.errorText()).toBe('');
  });

  test('without --json the same in words, and both curl lines work as they are printed', async () => {
    const sandbox = run([]);
    await until(() => sandbox.output().split('curl').length === 3 && sandbox.output().endsWith('\n\n'));
    const lines = sandbox.output().split('\n');
    const commands = lines.filter((line) => line.trim().startsWith('curl'));
    expect(commands).toHaveLength(2);
    const answers = await Promise.all(
      commands.map(async (line) => {
        const shell = spawn('sh', ['-c', line]);
        let text = '';
        shell.stdout.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        await once(shell, 'close');
        return JSON.parse(text);
      }),
    );
    expect(answers).toMatchObject([{ name: 'Fatima Al-Sabah' }, { status: 'pending', duplicate: false }]);
  });

  test('SIGTERM finishes what is in flight', async () => {
    const sandbox = await ready([]);
    const delay = { effect: { type: 'delay', ms: 400 } };
    const faultsNow = async () => JSON.stringify(await sandbox.call('/faults', undefined, sandbox.line.control_url));
    await sandbox.call('/faults', delay, sandbox.line.control_url);
    const answer = sandbox.call('/transactions/earn', earnBody('R-1'));
    await expect.poll(faultsNow, { interval: 10 }).toContain('"hits":1');
    sandbox.child.kill('SIGTERM');
    expect(await answer).toMatchObject({ status: 'pending' });
    expect(await sandbox.exitCode).toBe(0);
  });

  test('kill -9 loses no acknowledged earn, and what was pending is applied after the restart', async () => {
    const data = join(folder, 'sandbox.sqlite');
    const first = await ready(['--data', data]);
    const accepted = await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        transactionAcceptedSchema.parse(await first.call('/transactions/earn', earnBody(`R-${index}`))),
      ),
    );
    first.child.kill('SIGKILL');
    await first.exitCode;

    const second = await ready(['--data', data]);
    await second.call('/clock', { advance_ms: 2000 }, second.line.control_url);
    for (const { transaction_id: id } of accepted) {
      expect(await second.call(`/transactions/${id}`)).toMatchObject({ status: 'success' });
    }
    const { cards } = customerProfileSchema.parse(await second.call('/customers/identify', { loyalty_id: 'LC-1001' }));
    expect(cards[0]?.balances.points).toBe(245.5 + 40);
  });

  test('--seed makes two runs alike', async () => {
    const ids = async (seed: string) => {
      const sandbox = await ready(['--seed', seed]);
      const accepted = transactionAcceptedSchema.parse(await sandbox.call('/transactions/earn', earnBody('R-1')));
      const { key } = z.object({ key: z.string() }).parse(await sandbox.call('/keys', {}, sandbox.line.control_url));
      return [accepted.transaction_id, key];
    };
    const [one, same, other] = await Promise.all([ids('7'), ids('7'), ids('8')]);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('a long --seed gives each start on the same --data keys of its own', async () => {
    const args = ['--data', join(folder, 'sandbox.sqlite'), '--seed', '99999999999999'];
    const firstKey = async () => {
      const sandbox = await ready(args);
      const { key } = z.object({ key: z.string() }).parse(await sandbox.call('/keys', {}, sandbox.line.control_url));
      sandbox.child.kill('SIGTERM');
      await sandbox.exitCode;
      return key;
    };
    expect(await firstKey()).not.toBe(await firstKey());
  });

  test.each([
    ['an unknown flag', ['--prot', '1'], /--prot: is not a known flag/],
    ['a port that is none', ['--port', 'http'], /^--port: must be a number from 0 to 65535/],
    ['a port too high', ['--port', '65536'], /^--port: must be a number/],
    ['a flag without its value', ['--data'], /^--data: needs a value/],
    ['a seed that is none', ['--seed', 'x'], /^--seed: must be a whole number/],
    [
      'an address that is not here',
      ['--host', '203.0.113.7'],
      /^--host: 203.0.113.7 is not an address of this machine/,
    ],
    ['a data file in no folder', ['--data', '/nowhere/at/all.sqlite'], /^--data: .*cannot be used/],
  ])('%s: one clear line, exit code 2', async (_, args, words) => {
    const refused = run(args);
    expect(await refused.exitCode).toBe(2);
    expect(refused.errorText()).toMatch(words);
    expect(refused.errorText().trimEnd().split('\n')).toHaveLength(1);
    expect(refused.output()).toBe('');
  });

  test.each([
    ['a state that is not JSON', "UPDATE state SET value = '{not json'"],
    ['no tables', 'DROP TABLE state'],
  ])('a data file of ours with %s: one clear line, exit code 2', async (_, damage) => {
    const data = join(folder, 'damaged.sqlite');
    const first = await ready(['--data', data]);
    first.child.kill('SIGTERM');
    await first.exitCode;
    const database = new BetterSqlite3(data);
    database.exec('PRAGMA ignore_check_constraints = ON');
    database.exec(damage);
    database.close();
    const ended = run(['--data', data]);
    expect(await ended.exitCode).toBe(2);
    expect(ended.errorText()).toMatch(/^--data: .*damaged.sqlite cannot be used: .*\n$/);
  });

  test('ends at once though a connection stands open that never asked for anything', async () => {
    const sandbox = await ready([]);
    const { base_url } = JSON.parse(sandbox.output().split('\n')[0] ?? '') as { base_url: string };
    const socket = connect(Number(new URL(base_url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const startedAt = performance.now();
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.exitCode).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test('a port in use and a file that is no database: one clear line, exit code 2', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const taken = run(['--port', port]);
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'These are my notes, and they are no database at all.'.repeat(50));
    const notes = run(['--data', file]);
    expect(await taken.exitCode).toBe(2);
    expect(taken.errorText()).toMatch(/^--port: \d+ on 127.0.0.1 is already in use.*\n$/);
    expect(await notes.exitCode).toBe(2);
    expect(notes.errorText()).toMatch(/^--data: .*notes.txt cannot be used: .*\n$/);
    server.close();
  });

  test('two sandboxes on one file: the second is refused', async () => {
    const data = join(folder, 'sandbox.sqlite');
    await ready(['--data', data]);
    const second = run(['--data', data]);
    expect(await second.exitCode).toBe(2);
    expect(second.errorText()).toMatch(/another process is using it/);
  });
});
