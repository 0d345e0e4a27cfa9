import { readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let agent: AgentProcess;
const pin = '90210417';
const cashierPin = '70316258';
const badge = 'BADGE-31415926';

const run = (args: readonly string[], input = '') =>
  new CommandProcess(['tillbridge', 'people', ...args, '--data-dir', dataDir], {}, input).ended;
/** Who gives the commands of this test. */
const by = `store IT (${userInfo().username})`;
const audited = async () =>
  JSON.parse((await new CommandProcess(['tillbridge', 'audit', '--json', '--data-dir', dataDir]).ended).stdout);
const listed = async () => JSON.parse((await run(['list', '--json'])).stdout).people;

beforeAll(async () => {
  dataDir = newDataDir();
  agent = await startAgentProcess({ dataDir });
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

describe('people of a running agent', () => {
  it('are added, listed and taken off the list; no PIN and no badge is told or logged', async () => {
    expect(await run(['list'])).toMatchObject({ exitCode: 0, stdout: 'Nobody yet.\n' });
    const manager = await run(['add-manager', 'Mona'], `${pin}\n`);
    expect(manager).toMatchObject({ exitCode: 0, stdout: 'Mona is on the list.\n', stderr: '' });
    const cashier = await run(['add-cashier', 'Sami', '--badge', badge, '--employee-ref', 'emp-7']);
    expect(cashier.exitCode).toBe(0);
    expect(await listed()).toEqual([
      { name: 'Mona', role: 'manager', employee_ref: null, has_pin: true },
      { name: 'Sami', role: 'cashier', employee_ref: 'emp-7', has_pin: false },
    ]);
    expect(await run(['set-pin', 'Sami'], `${cashierPin}\n`)).toMatchObject({ stdout: 'Sami has a PIN now.\n' });
    expect(await run(['set-pin', 'Nobody'], `${cashierPin}\n`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('NAME: no cashier has this name'),
    });
    expect(await run(['set-pin', 'Sami'], '123\n')).toMatchObject({ exitCode: 2 });
    expect((await listed())[1]).toMatchObject({ name: 'Sami', has_pin: true });
    const left = ['logs/agent.log', 'sandbox.sqlite', 'sandbox.sqlite-wal', 'secrets.json'].map((file) =>
      readFileSync(join(dataDir, file), 'latin1'),
    );
    for (const content of left) {
      expect(content).not.toContain(pin);
      expect(content).not.toContain(cashierPin);
      expect(content).not.toContain(badge);
    }
  });

  it('stand in the audit log, with no PIN and no badge; so do settings and tokens', async () => {
    const other = (...words: readonly string[]) =>
      new CommandProcess(['tillbridge', ...words, '--data-dir', dataDir], {}).ended;
    // The name that `tokens create` had before.
    await other('tokens', 'make', 'kiosk', '--prefix', 'K-');
    await other('tokens', 'share', 'kiosk');
    await other('tokens', 'revoke', 'kiosk');
    await other('settings', 'set', 'device_name', 'Front till');
    const knock = (url: string) => fetch(url, { method: 'POST', headers: { authorization: 'Bearer wrong' } });
    await knock(`${agent.base_url}/transactions/earn`);
    await agent.call('POST', '/agent/office/counts', {});
    await knock(`${agent.control_url}/faults`);
    const { stdout } = await new CommandProcess(['tillbridge', 'audit', '--json', '--data-dir', dataDir], {}).ended;
    const { whole, entries } = JSON.parse(stdout);
    expect(whole).toBe(true);
    expect(entries).toMatchObject([
      { n: 1, event: 'agent_started' },
      { event: 'person_added', person: 'Mona', role: 'manager', by },
      { event: 'person_added', person: 'Sami', role: 'cashier', by },
      { event: 'cashier_pin_set', person: 'Sami', by },
      { event: 'token_made', token_name: 'kiosk', by },
      { event: 'token_shared', token_name: 'kiosk', by },
      { event: 'token_revoked', token_name: 'kiosk', by },
      { event: 'settings_changed', settings: ['device_name'], by },
      { event: 'token_wrong', door: 'bridge' },
      { event: 'token_wrong', door: 'office' },
      { event: 'token_wrong', door: 'control' },
    ]);
    expect(stdout).not.toContain('Front till');
    expect(stdout).not.toContain(pin);
    expect(stdout).not.toContain(badge);
  });

  it('are taken off the list once', async () => {
    expect(await run(['remove', 'Sami'])).toMatchObject({ exitCode: 0, stdout: 'Sami is off the list.\n' });
    expect((await run(['remove', 'Sami'])).exitCode).toBe(1);
  });

  it.each([
    [['add-manager', 'Omar'], '12', 'PIN: must be 4 to 12 digits'],
    [['add-manager', 'Omar'], '', 'PIN: must be 4 to 12 digits'],
    [['add-manager', 'Omar'], pin, 'PIN: cannot be used; choose another PIN'],
    [['add-manager', 'Mona'], '5812', 'NAME: Mona exists'],
    [['add-manager'], '5812', 'NAME: is missing'],
    [['add-manager', 'Omar', '--pin', '5812'], '', '--pin: is not a known flag'],
    [['add-cashier', 'Lina', '--badge', 'B-1'], '', '--badge and --employee-ref are needed'],
    [['add-cashier', 'Lina', '--badge', '', '--employee-ref', 'emp-8'], '', '--badge'],
  ])('%s with %j on standard input is refused with 2: %s', async (args, input, why) => {
    const ended = await run(args, input);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(why);
    expect(await listed()).toHaveLength(1);
  });
});

describe('people of a stopped agent', () => {
  beforeAll(() => agent.stop());

  it('are looked after in its database', async () => {
    expect((await run(['add-manager', 'Omar'], '5812\n')).exitCode).toBe(0);
    expect((await run(['add-manager', 'Nora'], '5812\n')).exitCode).toBe(2);
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['Mona', 'Omar']);
    expect((await run(['remove', 'Mona'])).exitCode).toBe(0);
  });

  it('and settings, tokens, profiles and decisions stand in the audit log, as while it ran', async () => {
    const other = (...words: readonly string[]) =>
      new CommandProcess(['tillbridge', ...words, '--data-dir', dataDir], {}).ended;
    await other('tokens', 'make', 'kiosk', '--prefix', 'K-');
    await other('settings', 'set', 'device_name', 'Back till');
    await other('profiles', 'erase');
    const { whole, entries } = await audited();
    expect(whole).toBe(true);
    const stoppedAt = entries.findIndex(({ event }: { event: string }) => event === 'agent_stopped');
    expect(entries.slice(stoppedAt + 1)).toMatchObject([
      { event: 'person_added', person: 'Omar', role: 'manager', by },
      { event: 'person_removed', person: 'Mona', by },
      { event: 'token_made', token_name: 'kiosk', by },
      { event: 'settings_changed', settings: ['device_name'], by },
      { event: 'erased', what: 'kept_profiles', count: 0, by },
    ]);
  });

  it('who were written into the database are told with 1, by the doctor too, and go by a command', async () => {
    const database = new BetterSqlite3(join(dataDir, 'sandbox.sqlite'));
    database.exec(
      `INSERT INTO people (role, name, pin_salt, pin_hash, pin_cost, made_at) VALUES ('manager', 'Mallory', x'01', x'02', 16, 1)`,
    );
    database.close();
    const told = await run(['list']);
    expect(told.exitCode).toBe(1);
    expect(told.stdout).toContain('People were changed on the disk (changed: Mallory).');
    expect(told.stdout).toMatch(/^Omar +manager/m);
    expect(told.stdout).not.toMatch(/^Mallory/m);
    const doctor = await new CommandProcess(['tillbridge', 'doctor', '--data-dir', dataDir]).ended;
    expect(doctor.stdout).toContain('in sandbox.sqlite: People were changed on the disk (changed: Mallory)');
    expect(await run(['remove', 'Mallory'])).toMatchObject({ exitCode: 0 });
    expect((await run(['list'])).exitCode).toBe(0);
    const { entries } = await audited();
    expect(entries).toContainEqual(expect.objectContaining({ event: 'people_changed', changed: ['Mallory'] }));
  });

  it('are out of reach with 3 where no agent ever ran', async () => {
    const none = ['tillbridge', 'people', 'list', '--data-dir', join(dataDir, 'none')];
    expect((await new CommandProcess(none).ended).exitCode).toBe(3);
  });
});

describe('a list of tokens that was damaged', () => {
  it('stops the agent with 3 and says which, and stays as it is', async () => {
    const path = join(dataDir, 'secrets.json');
    const secrets = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pos_tokens: '[{]' });
    const { writePrivateFile } = await import('../../app/machine/files.ts');
    writePrivateFile(path, secrets);
    const ended = await new CommandProcess(['agent', '--json', '--port', '0', '--data-dir', dataDir]).ended;
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain('pos_tokens in secrets.json cannot be read');
    expect(readFileSync(path, 'utf8')).toBe(secrets);
    const listing = await new CommandProcess(['tillbridge', 'tokens', 'list', '--data-dir', dataDir]).ended;
    expect(listing).toMatchObject({ exitCode: 3, stdout: '' });
  });
});
