import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
let agent: AgentProcess;

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;
const jsonOf = async (...args: readonly string[]) => {
  const ended = await run(...args, '--json');
  return { exitCode: ended.exitCode, json: JSON.parse(ended.stdout) };
};
const earn = (external_ref: string, loyalty_id: string) =>
  agent.call('POST', '/transactions/earn', { identifier: { loyalty_id }, external_ref, amount_minor: 12_500 });

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

beforeAll(async () => {
  dataDir = newDataDir();
  agent = await startAgentProcess({ dataDir });
  await earn('GOOD-1', 'LC-1001');
  await earn('BAD-1', 'NO-SUCH-CARD');
  await until(async () => {
    const { json } = await agent.call('GET', '/agent/status');
    const { queued, sending, unknown, accepted, refused } = (json as { operations: Record<string, number> }).operations;
    return refused === 1 && queued === 0 && sending === 0 && unknown === 0 && accepted === 0;
  });
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the day of a running agent', () => {
  it('is counted; something open ends it with 1', async () => {
    const shown = await run('day', 'show');
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toContain('not closed');
    expect(shown.stdout).toMatch(/earn +KWD +1: KWD\u00a012\.500 +- +1: KWD\u00a012\.500/);
    expect(shown.stdout).toContain('0 waiting, 1 needs attention');
  });

  it('is closed once, what is open acknowledged by its number', async () => {
    const refused = await run('day', 'close');
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stdout).toContain('--acknowledge 1');
    expect(await run('day', 'close', '--acknowledge', 'all')).toMatchObject({ exitCode: 2 });
    for (const limit of ['x', '0', '367']) {
      const wrong = { exitCode: 2, stderr: '--limit: must be a whole number from 1 to 366\n' };
      expect(await run('day', 'list', '--limit', limit)).toMatchObject(wrong);
    }
    const closed = await jsonOf('day', 'close', '--acknowledge', '1', '--person', 'Huda');
    expect(closed).toMatchObject({ exitCode: 0, json: { kind: 'closed', day: { close: { closed_by: 'Huda' } } } });
    const again = await run('day', 'close', '--acknowledge', '1', '--person', 'Sami');
    expect(again.exitCode).toBe(1);
    expect(again.stdout).toContain('was closed by Huda at');
    expect((await run('day', 'close', '--day', '2999-01-01')).stdout).toContain('has not begun');
    const wrong = await run('day', 'show', '--day', 'yesterday');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: '--day: must be a date such as 2026-11-20\n' });
  });
});

it('names the closed day that a sale came to afterwards', async () => {
  const { json } = await jsonOf('day', 'list');
  expect((await earn('LATE-1', 'LC-1001')).status).toBe(202);
  const shown = await run('day', 'show', '--day', '2999-01-01');
  expect(shown.stdout).toContain(`\n\n1 came to ${json.closes[0].business_date} after its closing\n`);
});

describe('the days of a stopped agent', () => {
  beforeAll(async () => {
    await agent.stop();
  });

  it('are listed and written as CSV', async () => {
    expect((await run('day', 'list')).stdout).toMatch(/Huda +1\n/);
    const { json } = await jsonOf('day', 'list');
    const date = json.closes[0].business_date;
    const csv = await run('day', 'show', '--format', 'csv', '--day', date);
    expect(csv.stdout.split('\r\n')[1]).toBe(`${date},day,earn,,money,KWD,1,12.500,0,0.000,1,12.500,0,0.000,0,0.000,`);
    expect((await jsonOf('day', 'show', '--day', date)).json).toMatchObject({
      carried_out: { count: 1, outcomes: { refused: 1 } },
    });
  });
});

it('a day with nothing open is told to be closed without a number', async () => {
  const quietDir = newDataDir();
  const quiet = await startAgentProcess({ dataDir: quietDir });
  try {
    const close = (...flags: readonly string[]) =>
      new CommandProcess(['tillbridge', 'day', 'close', ...flags, '--data-dir', quietDir]).ended;
    expect(await close('--acknowledge', '1')).toMatchObject({
      exitCode: 1,
      stdout: 'Not closed: 0 waiting, 0 need attention. Nothing is open: leave --acknowledge out.\n',
    });
    expect((await close()).exitCode).toBe(0);
  } finally {
    await quiet.stop('SIGKILL');
    rmSync(quietDir, { recursive: true, force: true });
  }
});
