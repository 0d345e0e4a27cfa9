import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

// Fatima is known to the service by LC-1001, by her phone and by an id; R-9 was refused and waits for a person.

let dataDir: string;
let outDir: string;
let backup: string;
let agent: AgentProcess;
const phone = '+96599887766';

async function run(words: readonly string[], input = '') {
  const args = ['tillbridge', ...words, '--data-dir', dataDir];
  const ended = await new CommandProcess([...args, '--json'], {}, input).ended;
  return { ...ended, json: ended.stdout === '' ? null : JSON.parse(ended.stdout) };
}
const inWords = async (...words: readonly string[]) =>
  (await new CommandProcess(['tillbridge', ...words, '--data-dir', dataDir]).ended).stdout;
const referencesOf = (held: { operations: { external_ref: string }[] }) =>
  held.operations.map(({ external_ref }) => external_ref);

async function earned(external_ref: string, identifier: object, state: string, more: object = {}): Promise<void> {
  const body = { identifier, external_ref, amount_minor: 1_000, ...more };
  expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  let seen = '';
  while (!seen.includes(state)) {
    seen = JSON.stringify((await agent.call('GET', `/transactions?external_ref=${external_ref}`)).json);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** All that lies in the data folder, but the sandbox's own books, and the backup. */
function everything(): string {
  const names = readdirSync(dataDir).filter((name) => /^(?:sandbox\.|production|audit|agent\.json)/.test(name));
  return [...names.map((name) => join(dataDir, name)), backup].map((path) => readFileSync(path, 'latin1')).join('\n');
}

beforeAll(async () => {
  [dataDir, outDir] = [newDataDir(), newDataDir()];
  backup = join(outDir, 'till.backup');
  agent = await startAgentProcess({ dataDir });
  await earned('R-1', { loyalty_id: 'LC-1001' }, 'success');
  await earned('R-2', { phone: '9988 7766' }, 'success');
  await earned('R-3', { loyalty_id: 'LC-1002' }, 'success');
  await earned('R-9', { phone }, 'NOT', { card_id: 'card_of_nobody' });
  expect((await agent.call('POST', '/customers/identify', { loyalty_id: 'LC-1001' })).status).toBe(200);
  expect((await run(['backup', backup])).exitCode).toBe(0);
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  for (const dir of [dataDir, outDir]) rmSync(dir, { recursive: true, force: true });
});

describe('one customer at a running agent', () => {
  it.each([
    ['loyalty_id', 'LC-1001'],
    ['phone', '٩٩٨٨٧٧٦٦'],
  ])('is found by %s %s, under every name, in the database and in the backup', async (kind, value) => {
    const { exitCode, json } = await run(['customer', 'show', kind, '-'], `${value}\n`);
    expect(exitCode).toBe(0);
    expect(referencesOf(json)).toEqual(['R-1', 'R-2', 'R-9']);
    expect(json.operations[0]).toMatchObject({
      intent: 'earn',
      state: 'applied',
      holds: ['identifier', 'card', 'request'],
    });
    expect(json.profiles).toBe(1);
    expect(json.names.map((name: { kind: string }) => name.kind)).toEqual(
      expect.arrayContaining(['loyalty_id', 'phone', 'customer_id', 'card_id']),
    );
    expect(json.files).toMatchObject([{ file: backup, problem: null }]);
    expect(referencesOf(json.files[0])).toEqual(['R-1', 'R-2', 'R-9']);
  });

  it('is not another one, and nobody is nobody', async () => {
    expect(referencesOf((await run(['customer', 'show', 'loyalty_id', 'LC-1002'])).json)).toEqual(['R-3']);
    const nobody = await run(['customer', 'show', 'email', 'nobody@example.com']);
    expect(nobody).toMatchObject({ exitCode: 0, json: { operations: [], profiles: 0 } });
    const words = await inWords('customer', 'show', 'email', 'nobody@example.com');
    expect(words).toContain('Only this name was looked for. Give their card number or customer_id, too.\n');
    expect(await inWords('customer', 'show', 'loyalty_id', 'LC-1002')).not.toContain('Only this name');
    expect((await run(['customer', 'show', 'name', 'Fatima'])).exitCode).toBe(2);
    expect((await run(['customer', 'erase', 'phone', ' '])).exitCode).toBe(2);
  });

  it('is erased on --yes alone', async () => {
    const before = everything();
    const asked = await run(['customer', 'erase', 'phone', phone]);
    expect(asked).toMatchObject({ exitCode: 1, json: { erased: false } });
    expect(before).toContain('LC-1001');
    expect(referencesOf((await run(['customer', 'show', 'phone', phone])).json)).toHaveLength(3);
  });

  it('is erased but for what still waits; everybody else, references and values stay', async () => {
    const { exitCode, json } = await run(['customer', 'erase', 'loyalty_id', 'LC-1001', '--yes']);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ erased: true, profiles: 1, log_left: false, gap_left: false });
    // Nothing ties it to LC-1001 any more.
    expect(json.stays).toMatchObject([{ external_ref: 'R-9', found_by: { kind: 'phone', value: phone } }]);
    expect(json.files).toMatchObject([{ file: backup, problem: null, stays: [{ external_ref: 'R-9' }] }]);
    const left = everything();
    for (const name of ['LC-1001', '9988 7766', 'Fatima']) expect(left).not.toContain(name);
    for (const name of ['LC-1002', phone, 'R-1']) expect(left).toContain(name);
    const shown = await agent.call('GET', '/transactions?external_ref=R-1');
    expect(shown.json).toMatchObject({ data: [{ external_ref: 'R-1', amount_minor: 1_000, status: 'success' }] });
    const told = await inWords('customer', 'erase', 'phone', phone, '--yes');
    expect(told).toContain('R-9 stays: it waits for a person: send it again or write it off first\n');
    expect(told).toContain(
      'R-9 stays: it waited when this file was made, and nothing ends it there: delete the file\n',
    );
    expect(told).toContain(`When that is over, erase again: customer erase phone ${phone} --yes\n`);
  });

  it('is not named in the audit log', async () => {
    const { json, stdout } = await run(['audit']);
    const by = `store IT (${userInfo().username})`;
    const erased = json.entries.filter(({ event }: { event: string }) => event === 'erased');
    expect(erased).toMatchObject([
      { what: 'customer', count: 2, by },
      { what: 'customer', count: 2, by },
      { what: 'customer', count: 0, by },
    ]);
    expect(json.whole).toBe(true);
    for (const name of [phone, '99887766', 'LC-1001', 'Fatima']) expect(stdout).not.toContain(name);
  });
});

describe('one customer at a stopped agent', () => {
  it('is erased from a database that was put aside and from a backup, and stays where it is still looked up', async () => {
    await agent.stop();
    expect((await run(['restore', backup])).exitCode).toBe(0);
    const { exitCode, json } = await run(['customer', 'erase', 'loyalty_id', 'LC-1002', '--yes']);
    // After a restore the service is asked once about what the backup shows as applied.
    expect(exitCode).toBe(1);
    expect(json.stays).toMatchObject([{ external_ref: 'R-3', state: 'applied' }]);
    expect(json.files).toMatchObject([
      { file: expect.stringMatching(/^sandbox\.before-restore-.*\.sqlite$/), problem: null, stays: [] },
      { file: backup, problem: null, stays: [] },
    ]);
    for (const held of json.files) expect(referencesOf(held)).toEqual(['R-3']);
    expect(readFileSync(backup, 'latin1')).not.toContain('LC-1002');
    expect(readFileSync(join(dataDir, json.files[0].file), 'latin1')).not.toContain('LC-1002');
    expect(await inWords('customer', 'erase', 'loyalty_id', 'LC-1002', '--yes')).toContain(
      'R-3 stays: it is still looked up at the service',
    );
    expect(await inWords('customer', 'erase', 'email', 'nobody@example.com', '--yes')).toContain(
      'Only this name was looked for. ',
    );
    // Its proof was made again.
    expect((await run(['restore', backup])).exitCode).toBe(0);
  });
});

it('is not told as erased while the share with the backups is away', async () => {
  const share = join(outDir, 'share');
  mkdirSync(share);
  expect((await run(['settings', 'set', 'backup.folder', share])).exitCode).toBe(0);
  expect((await run(['backup', join(share, 'today.backup')])).exitCode).toBe(0);
  const erase = ['customer', 'erase', 'email', 'nobody@example.com', '--yes'];
  expect((await run(erase)).exitCode).toBe(0);
  renameSync(share, join(outDir, 'away'));
  const { exitCode, json } = await run(erase);
  expect(exitCode).toBe(1);
  expect(json.files).toContainEqual(
    expect.objectContaining({ file: share, problem: expect.stringContaining('cannot be read') }),
  );
  expect((await run(['customer', 'show', 'email', 'nobody@example.com'])).exitCode).toBe(1);
  expect(await inWords(...erase)).toContain(`${share}: not erased: `);
});
