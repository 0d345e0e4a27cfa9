import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let others: string;
let own: string;
beforeEach(() => {
  others = newDataDir();
  own = newDataDir();
});
afterEach(() => {
  for (const dir of [others, own]) rmSync(dir, { recursive: true, force: true });
});

const run = (args: readonly string[]) => new CommandProcess(['tillbridge', ...args]).ended;

/** A till that has sold, and does not run any more. */
async function sold(dataDir: string, references: readonly string[], environment = {}): Promise<void> {
  const agent = await startAgentProcess({ dataDir, environment });
  for (const external_ref of references) {
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref, amount_minor: 1_000 };
    expect((await agent.call('POST', '/transactions/earn', body)).status).toBe(202);
  }
  await agent.stop();
}

it('keeps the till’s own operation under a reference that the backup has, too, and names it', async () => {
  await sold(others, ['R-1']);
  await sold(own, ['R-1', 'R-2']);
  const file = join(others, 'other.backup');
  expect((await run(['backup', file, '--data-dir', others])).exitCode).toBe(0);
  const restore = ['restore', file, '--from-elsewhere', '--data-dir', own];
  const { exitCode, stdout } = await run([...restore, '--json']);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    operations: 0,
    left_out_references: ['R-1'],
    unreadable: 0,
    carried: 2,
  });
  const again = await run(restore);
  expect(again.stdout).toContain('Left out of the backup: R-1. This till has another operation under such a reference');
  expect(again.stdout).toContain(`Keep ${file}.`);
});

it('into a new folder needs --from-elsewhere, and what waited is held until a person releases it', async () => {
  const silent = { TILLBRIDGE_BASE_URL: 'http://127.0.0.1:9/v1', TILLBRIDGE_API_KEY: 'loyalty_pk_test_0123456789' };
  await sold(others, ['R-1'], silent);
  const file = join(others, 'other.backup');
  expect((await run(['backup', file, '--data-dir', others])).exitCode).toBe(0);
  const restore = ['restore', file, '--data-dir', own];
  expect(await run(restore)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('add --from-elsewhere') });
  expect((await run([...restore, '--from-elsewhere'])).stdout).toContain('Restored 1 operation');

  const agent = await startAgentProcess({ dataDir: own });
  const listed = async () => (await run(['queue', 'list', '--data-dir', own])).stdout;
  await expect.poll(listed, { timeout: 10_000 }).toMatch(/R-1 .*CHANGED_ON_DISK/);
  const release = ['queue', 'resend', 'all', '--code', 'CHANGED_ON_DISK', '--person', 'Mona', '--data-dir', own];
  expect((await run(release)).exitCode).toBe(0);
  const seen = async () => JSON.stringify((await agent.call('GET', '/transactions?external_ref=R-1')).json);
  await expect.poll(seen, { timeout: 10_000 }).toContain('"status":"success"');
  await agent.stop();
});
