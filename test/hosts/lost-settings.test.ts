import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastGoodSettingsPath, savedSettingsPath } from '../../app/config/saved-settings.ts';
import { apiKeyName, fileSecretStore } from '../../app/machine/secrets.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

let dataDir: string;
const agents: AgentProcess[] = [];
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

type Start = Omit<Parameters<typeof startAgentProcess>[0], 'dataDir'>;
async function start(more: Start = {}): Promise<AgentProcess> {
  const agent = await startAgentProcess({ dataDir, ...more });
  agents.push(agent);
  return agent;
}

const earn = (reference: string) => ({
  identifier: { loyalty_id: 'LC-1001' },
  external_ref: reference,
  amount_minor: 12500,
});

async function noticesOf(agent: AgentProcess): Promise<readonly unknown[]> {
  const { json } = await agent.call('GET', '/agent/status');
  return (json as { notices: unknown[] }).notices;
}

describe('settings files that are all bad', () => {
  it('cost no sale: the till sells in its last mode, with what is good of them, and says so', async () => {
    const production = {
      TILLBRIDGE_MODE: 'production',
      TILLBRIDGE_BASE_URL: 'https://loyalty.invalid/v1',
      TILLBRIDGE_API_KEY: 'loyalty_pk_live_0123456789abcdef',
      TILLBRIDGE_CURRENCY: 'USD',
    };
    await (await start({ environment: production })).stop();
    const managed = join(dataDir, 'managed.json');
    writeFileSync(managed, '{"device_name": "Front till", "locale": "klingon"}');
    writeFileSync(savedSettingsPath(dataDir), '{"mode": "prod');
    writeFileSync(lastGoodSettingsPath(dataDir), 'also rubbish');
    const agent = await start({ environment: { TILLBRIDGE_CONFIG: managed } });
    expect(agent.mode).toBe('production');
    expect((await agent.call('POST', '/transactions/earn', earn('R-1'))).status).toBe(202);
    expect(await noticesOf(agent)).toContainEqual({ code: 'settings_lost', mode: 'production' });
    const { json } = await agent.call('GET', '/agent/status');
    expect(json).toMatchObject({ service: { base_url: 'https://loyalty.invalid/v1' } });
    // What is bad is not taken for what was good.
    expect(readdirSync(dataDir)).toContain('last-start.json');
  });

  it('refuse the first start of all', async () => {
    writeFileSync(savedSettingsPath(dataDir), '{"mode": "prod');
    const ended = await new CommandProcess(['agent', '--data-dir', dataDir, '--port', '0']).ended;
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain('half of the file is missing');
  });
});

describe('a till of production whose folder is taken away while its agent runs', () => {
  const settings = { mode: 'production', base_url: 'https://loyalty.invalid/v1' };
  beforeEach(async () => {
    await fileSecretStore(dataDir).set(apiKeyName('production'), 'loyalty_pk_live_0123456789abcdef');
    writeFileSync(savedSettingsPath(dataDir), JSON.stringify(settings));
  });

  function emptyBut(isKept: (name: string) => boolean): void {
    for (const name of readdirSync(dataDir)) if (!isKept(name)) rmSync(join(dataDir, name), { recursive: true });
  }

  // Windows lets nobody delete or move what is open.
  it.skipIf(process.platform === 'win32').each([
    ['moved', () => renameSync(dataDir, `${dataDir}.moved`)],
    ['emptied', () => emptyBut(() => false)],
  ])('(%s) sells in production after the next start, too, and says so', async (_, takeAway) => {
    const first = await start();
    takeAway();
    expect((await first.call('POST', '/transactions/earn', earn('R-1'))).status).toBe(202);
    await first.stop();
    rmSync(`${dataDir}.moved`, { recursive: true, force: true });
    const agent = await start();
    expect(agent.mode).toBe('production');
    expect(await noticesOf(agent)).toContainEqual({ code: 'settings_lost', mode: 'production' });
    const { json } = await agent.call('GET', '/agent/status');
    expect(json).toMatchObject({ service: { base_url: settings.base_url } });
  });

  it('does so where its database alone is left', async () => {
    await (await start()).stop();
    emptyBut((name) => name.startsWith('production.sqlite'));
    const agent = await start();
    expect(agent.mode).toBe('production');
    expect(await noticesOf(agent)).toContainEqual({ code: 'settings_lost', mode: 'production' });
  });
});

describe("the sandbox's own books", () => {
  it.each([
    ['a text', 'no database at all, but long enough to be looked at\n'.repeat(200)],
    ['cut off', 'SQLite format 3\0'],
  ])('that are %s never keep the agent from starting', async (_, content) => {
    const first = await start();
    expect((await first.call('POST', '/transactions/earn', earn('R-1'))).status).toBe(202);
    await first.stop();
    for (const name of readdirSync(dataDir)) if (name.startsWith('sandbox-service')) rmSync(join(dataDir, name));
    writeFileSync(join(dataDir, 'sandbox-service.sqlite'), content);
    const agent = await start();
    expect(await noticesOf(agent)).toContainEqual({
      code: 'sandbox_began_anew',
      aside: expect.stringContaining('sandbox-service.damaged-'),
    });
    expect((await agent.call('POST', '/transactions/earn', earn('R-2'))).status).toBe(202);
  });
});

/** Whether a disk of one megabyte can be had. */
function mountSmall(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a disk that is full at the start', () => {
  it.each([
    ['of a new till', 0],
    ['of a till that sold before', 1],
  ])('%s is one line and exit code 3', async (_, isUsed) => {
    const folder = join(dataDir, 'disk');
    if (!mountSmall(folder)) {
      console.warn('A full disk at the start was not tried: this user may not mount one.');
      return;
    }
    try {
      const data = join(folder, 'data');
      if (isUsed === 1) {
        const agent = await startAgentProcess({ dataDir: data });
        await agent.call('POST', '/transactions/earn', earn('R-1'));
        await agent.stop();
      }
      for (const size of [65_536, 4_096, 512, 1]) {
        for (let index = 0; index < 4_000; index += 1) {
          try {
            writeFileSync(join(folder, `ballast-${size}-${index}`), Buffer.alloc(size));
          } catch {
            break;
          }
        }
      }
      const ended = await new CommandProcess(['agent', '--data-dir', data, '--port', '0']).ended;
      expect({ code: ended.exitCode, lines: ended.stderr.trim().split('\n') }).toEqual({
        code: 3,
        lines: [expect.stringMatching(/full|space/)],
      });
    } finally {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    }
  });
});
