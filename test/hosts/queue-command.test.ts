import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeIt } from '../../app/commands/tillbridge/store-it.ts';
import { root } from '../../tools/bundles.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';
import { until } from '../support/core-shop.ts';

let dataDir: string;
let agent: AgentProcess;

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;
const jsonOf = async (...args: readonly string[]) => {
  const ended = await run(...args, '--json');
  return { exitCode: ended.exitCode, json: JSON.parse(ended.stdout) };
};

async function earn(external_ref: string, loyalty_id: string): Promise<void> {
  const { status } = await agent.call('POST', '/transactions/earn', {
    identifier: { loyalty_id },
    external_ref,
    amount_minor: 12_500,
    employee_ref: 'emp-7',
  });
  expect(status).toBe(202);
}

async function settled(state: string, reference: string): Promise<void> {
  let seen = '';
  const look = async () => {
    const { json } = await agent.call('GET', `/transactions?external_ref=${reference}`);
    seen = JSON.stringify(json);
  };
  while (!seen.includes(state)) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

beforeAll(async () => {
  dataDir = newDataDir();
  agent = await startAgentProcess({ dataDir });
  await earn('GOOD-1', 'LC-1001');
  await earn('BAD-1', 'NO-SUCH-CARD');
  await earn('=BAD-2', 'NO-SUCH-CARD');
  await earn('BAD-3', 'NO-SUCH-CARD');
  for (const reference of ['BAD-1', 'BAD-3', '%3DBAD-2']) await settled('CUSTOMER_NOT_FOUND', reference);
  await settled('success', 'GOOD-1');
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the queue of a running agent', () => {
  it('lists what needs attention, the customer masked', async () => {
    const ended = await run('queue', 'list');
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain('CUSTOMER_NOT_FOUND');
    expect(ended.stdout).not.toContain('NO-SUCH-CARD');
    expect(ended.stdout).not.toContain('GOOD-1');
  });

  it('shows one with its request and its whole history', async () => {
    const { exitCode, json } = await jsonOf('queue', 'show', 'GOOD-1');
    expect(exitCode).toBe(0);
    const [detail] = json.operations;
    expect(detail.operation).toMatchObject({ external_ref: 'GOOD-1', state: 'applied' });
    expect(detail.request).toMatchObject({ origin: 'bridge', pos_name: 'main' });
    expect(detail.history.map(({ to }: { to: string }) => to)).toEqual(['queued', 'sending', 'accepted', 'applied']);
    expect(JSON.stringify(detail.request.body)).not.toContain('LC-1001');
  });

  it('says with 1 that there is no such reference', async () => {
    expect((await run('queue', 'show', 'NOBODY')).exitCode).toBe(1);
  });

  it.each(['resend', 'write-off', 'keep', 'take-back'])(
    'tells %s of one that is not there that prefixes belong to a reference',
    async (decision) => {
      const ended = await run('queue', decision, 'NOBODY', '--reason', 'tried');
      expect(ended.exitCode).toBe(1);
      expect(ended.stdout).toContain(
        'There is no NOBODY. Prefixes are part of a reference: `npm run --silent tillbridge -- queue list --text NOBODY`',
      );
    },
  );

  it('says how many more there are than it shows', async () => {
    const listed = await run('queue', 'list', '--limit', '1');
    expect(listed.stdout).toMatch(/^1 of 3 are shown\. Add --limit 1000 for more\. Run .*queue export for all\.$/m);
    expect((await run('queue', 'list')).stdout).not.toContain('are shown');
    // The id of the sale that was taken may have the same letters in it.
    const { json } = await jsonOf('queue', 'list', '--text', 'bad', '--state', 'refused', '--limit', '2');
    expect(json).toMatchObject({ more: 1, is_counted: true });
    expect(json.operations).toHaveLength(2);
  });

  it('exports where each operation was taken: day, branch, device, employee and program', async () => {
    const ended = await run('queue', 'export', '--text', 'GOOD-1');
    const [head = '', line = ''] = ended.stdout.split('\r\n');
    const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]));
    expect(cells).toMatchObject({ branch_ref: 'main', device_ref: 'till1', employee_ref: 'emp-7', program: 'main' });
    expect(cells.business_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const asJson = await run('queue', 'export', '--text', 'GOOD-1', '--format', 'json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ external_ref: 'GOOD-1', employee_ref: 'emp-7', program: 'main' });
  });

  it('exports CSV in which no cell is a formula', async () => {
    const ended = await run('queue', 'export');
    const lines = ended.stdout.trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^external_ref,intent,state,/);
    expect(ended.stdout).toContain("'=BAD-2,earn,refused");
  });

  it.skipIf(process.platform === 'win32')('ends quietly when whoever reads has seen enough', async () => {
    const command = `"${process.execPath}" "${builtCli()}" tillbridge queue export --data-dir "${dataDir}" | head -c 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'e0\n', stderr: '' });
  });

  it('sends everything of one code again, and each is refused once more', async () => {
    const { exitCode, json } = await jsonOf('queue', 'resend', 'all', '--code', 'CUSTOMER_NOT_FOUND');
    expect(exitCode).toBe(0);
    expect(json.done).toBe(3);
    await settled('CUSTOMER_NOT_FOUND', 'BAD-3');
    const shown = await jsonOf('queue', 'show', 'BAD-3');
    const resent = shown.json.operations[0].history.find(({ reason }: { reason: string | null }) => reason !== null);
    expect(resent).toMatchObject({ from: 'refused', to: 'queued', reason: 'Resent by store IT' });
    const none = await run('queue', 'resend', 'all', '--code', 'NO_SUCH_CODE');
    expect(none).toMatchObject({ exitCode: 0, stdout: 'No operation was refused with NO_SUCH_CODE.\n' });
  });

  it('keeps and takes back only what was found to stand', async () => {
    expect((await run('queue', 'keep', 'GOOD-1')).exitCode).toBe(2);
    expect(await run('queue', 'keep', 'GOOD-1', '--reason', 'told')).toMatchObject({
      exitCode: 1,
      stdout:
        'GOOD-1: not changed: the state is Completed. Only an operation of `queue list --state found` is kept or reversed here. Reverse it at the screen (Recent, Undo), or by its POS program\n',
    });
    expect(await jsonOf('queue', 'take-back', 'GOOD-1', '--reason', 'told')).toMatchObject({
      exitCode: 1,
      json: { decided: [{ outcome: 'not_now' }] },
    });
    const { stdout } = await run('queue', 'keep', 'BAD-3', '--reason', 'told');
    expect(stdout).toMatch(
      /^BAD-3: not changed: the state is Refused\. .* Use `.*queue resend` or `.*queue write-off`\n$/,
    );
    expect((await jsonOf('queue', 'list', '--state', 'found')).json.operations).toEqual([]);
  });

  it('is compared with the service’s books', async () => {
    const { exitCode, json } = await jsonOf('verify', '--since', '2d');
    expect({ exitCode, ...json }).toMatchObject({
      exitCode: 0,
      checked: 1,
      erased: 0,
      of_another_key: 0,
      differences: [],
    });
    expect((await run('verify')).exitCode).toBe(2);
    const wrong = await run('verify', '--since', 'yesterday');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--since: yesterday') });
    const backwards = await run('verify', '--since', '1h', '--until', '1d');
    expect(backwards).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('must be earlier than --until') });
  });

  it('gives a sale that was refused for its time the time that store IT says', async () => {
    const old = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'OLD-1', points: 3 };
    const occurred_at = new Date(Date.now() - 30 * 86_400_000).toISOString();
    expect((await agent.call('POST', '/transactions/earn', { ...old, occurred_at })).status).toBe(202);
    await settled('occurred_at_outside_window', 'OLD-1');
    expect(await run('queue', 'resend', 'BAD-3', '--occurred-at', '2h')).toMatchObject({
      exitCode: 1,
      stdout:
        'BAD-3: not changed: the state is Refused. --occurred-at: only for a sale that was refused for its time\n',
    });
    const { exitCode } = await run('queue', 'resend', 'OLD-1', '--occurred-at', '2h');
    expect(exitCode).toBe(0);
    await settled('success', 'OLD-1');
    const [{ operation }] = (await jsonOf('queue', 'show', 'OLD-1')).json.operations;
    expect(Math.abs(Date.parse(operation.occurred_at) - (Date.now() - 2 * 3_600_000))).toBeLessThan(600_000);
  });

  it('writes one off with a reason, once', async () => {
    expect((await run('queue', 'write-off', 'BAD-1')).exitCode).toBe(2);
    const first = await jsonOf('queue', 'write-off', 'BAD-1', '--reason', 'wrong card', '--person', 'Mona');
    expect(first).toMatchObject({ exitCode: 0, json: { done: 1 } });
    expect((await run('queue', 'write-off', 'BAD-1', '--reason', 'again')).exitCode).toBe(1);
    const shown = await jsonOf('queue', 'show', 'BAD-1');
    expect(shown.json.operations[0].history.at(-1)).toMatchObject({ person: 'Mona', reason: 'wrong card' });
  });

  it('takes its orders with the secret of its folder only', async () => {
    const response = await fetch(`${agent.base_url}/agent/office/counts`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(await agent.call('POST', '/agent/office/counts', {})).toMatchObject({ status: 403 });
    expect(await agent.office('queue.list', { limit: 0 })).toMatchObject({ status: 400 });
    expect(await agent.office('toString', {})).toMatchObject({ status: 404 });
  });

  it.each([
    [['queue', 'list', '--state', 'nonsense'], 'nonsense is none of queued'],
    [['queue', 'list', '--limit', '0'], '--limit'],
    [['queue', 'list', '--day', 'yesterday'], '--day: must be a date such as 2026-11-20'],
    [['queue', 'export', '--format', 'xml'], 'xml is neither csv nor json'],
    [['queue', 'show'], 'REF: is missing'],
    [['queue', 'shw', 'X'], 'is not a command'],
    [['queue', 'resend', 'BAD-3', '--code', 'X'], '--code'],
    [['queue', 'resend', 'BAD-3', '--occurred-at', 'noon'], '--occurred-at: noon is neither an instant'],
    [['queue', 'resend', 'all', '--occurred-at', '2h'], '--occurred-at: use with one reference'],
  ])('refuses %s with 2 and says why', async (args, why) => {
    const ended = await run(...args);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(why);
  });
});

describe('the queue of a stopped agent', () => {
  beforeAll(async () => {
    await agent.stop();
    await until(() => agent.process.child.exitCode !== null);
  });

  it('is read and decided about in its database', async () => {
    const listed = await jsonOf('queue', 'list', '--state', 'refused');
    expect(listed.json.operations.map(({ external_ref }: { external_ref: string }) => external_ref)).toEqual([
      'BAD-3',
      '=BAD-2',
    ]);
    const resent = await run('queue', 'resend', 'BAD-3');
    expect(resent).toMatchObject({ exitCode: 0, stdout: 'BAD-3: Waiting to send. Start the agent.\n' });
    expect((await run('queue', 'write-off', '=BAD-2', '--reason', 'x')).exitCode).toBe(0);
  });

  it('cannot be compared with the service’s books', async () => {
    const ended = await run('verify', '--since', '2d');
    expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('The agent does not run') });
  });

  it('is out of reach with 3 where no agent ever ran', async () => {
    const ended = await new CommandProcess(['tillbridge', 'queue', 'list', '--data-dir', `${dataDir}/none`]).ended;
    expect(ended.exitCode).toBe(3);
  });
});

describe('tokens of POS programs', () => {
  let ownDir: string;
  let running: AgentProcess;
  const command = (...args: readonly string[]) =>
    new CommandProcess(['tillbridge', ...args, '--data-dir', ownDir]).ended;
  const status = (token: string) =>
    fetch(`${running.base_url}/agent/status`, { headers: { authorization: `Bearer ${token}` } }).then((r) => r.status);

  beforeAll(async () => {
    ownDir = newDataDir();
    running = await startAgentProcess({ dataDir: ownDir });
  });
  afterAll(async () => {
    await running.stop('SIGKILL');
    rmSync(ownDir, { recursive: true, force: true });
  });

  it('are made and revoked while the agent runs, and count at once', async () => {
    const made = await command('tokens', 'create', 'kiosk', '--prefix', 'K-');
    expect(made.exitCode).toBe(0);
    const token = made.stdout.trim();
    expect(await status(token)).toBe(200);
    const listed = await command('tokens', 'list');
    expect(listed.stdout).toContain('kiosk');
    expect(listed.stdout).not.toContain(token);
    expect((await command('tokens', 'make', 'kiosk', '--prefix', 'K2-')).exitCode).toBe(2);
    expect((await command('tokens', 'create', 'other')).exitCode).toBe(2);
    const control = await command('tokens', 'create', 'control', '--prefix', 'C-');
    expect(control).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("the sandbox controls' key") });
    expect((await command('tokens', 'revoke', 'kiosk')).exitCode).toBe(0);
    expect(await status(token)).toBe(401);
    expect((await command('tokens', 'revoke', 'kiosk')).exitCode).toBe(1);
  });
});

describe('operations that were changed on the disk', () => {
  it('are told by the doctor, and released by nobody who gives no name', async () => {
    agent = await startAgentProcess({ dataDir });
    await earn('OTHER-1', 'NO-SUCH-CARD');
    await settled('CUSTOMER_NOT_FOUND', 'OTHER-1');
    await agent.stop();
    const database = new BetterSqlite3(join(dataDir, 'sandbox.sqlite'));
    const { changes } = database
      .prepare(`UPDATE operations SET body = replace(body, '12500', '99000') WHERE external_ref = 'BAD-3'`)
      .run();
    database.close();
    expect(changes).toBe(1);
    const doctor = await jsonOf('doctor');
    const found = doctor.json.findings.filter(({ check }: { check: string }) => check === 'seals');
    expect(found).toMatchObject([{ verdict: 'problem', says: expect.stringContaining('sandbox.sqlite was changed') }]);
    expect(found[0].says).toMatch(/: BAD-3$/);
    // Nobody has looked yet; the agent does, before it sends.
    expect((await jsonOf('queue', 'resend', 'BAD-3')).json.done).toBe(1);
    agent = await startAgentProcess({ dataDir });
    await settled('CHANGED_ON_DISK', 'BAD-3');

    expect((await jsonOf('queue', 'resend', 'all')).json.decided).toMatchObject([{ external_ref: 'OTHER-1' }]);
    for (const words of [['all', '--code', 'CHANGED_ON_DISK'], ['BAD-3']]) {
      const unnamed = await run('queue', 'resend', ...words);
      expect(unnamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--person: is needed') });
    }
    const named = await jsonOf('queue', 'resend', 'all', '--code', 'CHANGED_ON_DISK', '--person', 'Mona');
    expect(named).toMatchObject({ exitCode: 0, json: { decided: [{ external_ref: 'BAD-3', outcome: 'done' }] } });
    await settled('CUSTOMER_NOT_FOUND', 'BAD-3');
    const { entries } = (await jsonOf('audit')).json;
    expect(entries.slice(-2)).toMatchObject([
      { event: 'decided', decision: 'resend', by: storeIt(), person: 'Mona' },
      { event: 'operations_sealed', why: 'released', count: 1, by: storeIt(), person: 'Mona' },
    ]);
  });
});
