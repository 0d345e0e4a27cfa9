import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newDataDir } from '../support/agent-process.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type AgentReady, type Program, startAgentProgram } from '../support/program.ts';
import { ScriptedService } from '../support/scripted-service.ts';

/** Of all that is set while nobody uses the till: more often, and it shows on a battery and in a fan. */
const shortestPauseMs = 10_000;

const service = new ScriptedService(new ManualClock(new Date().toISOString()));
const dataDir = newDataDir();
let agent: Program<AgentReady>;
beforeAll(async () => {
  await service.start();
  // An agent that npm has started looks for the end of npm, too.
  vi.stubEnv('npm_lifecycle_event', undefined);
  agent = await startAgentProgram(
    ['--port', '0', '--data-dir', dataDir, '--mode', 'production', '--base-url', service.baseUrl],
    {
      TILLBRIDGE_API_KEY: 'loyalty_pk_live_idle_0123456789',
      NODE_OPTIONS: `--require ${join(import.meta.dirname, '../support/pending-timers-hook.cjs')}`,
    },
  );
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await agent.stop();
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

interface PendingTimer {
  readonly delayMs: number;
  readonly setBy: readonly string[];
}

async function pendingTimers(): Promise<readonly PendingTimer[]> {
  const told = agent.errorText().length;
  process.kill(agent.pid, 'SIGUSR2');
  const lastLine = () =>
    agent
      .errorText()
      .slice(told)
      .split('\n')
      .find((line) => line.startsWith('{"pending"'));
  await expect.poll(lastLine).toBeDefined();
  return JSON.parse(lastLine() ?? '').pending;
}

describe.skipIf(process.platform === 'win32')('a built agent that nobody uses, on a good line', () => {
  it('has set no timer that ends sooner than in ten seconds', async () => {
    const online = async () => {
      const answer = await fetch(`${agent.ready.base_url}/agent/status`, {
        headers: { authorization: `Bearer ${agent.ready.token}`, connection: 'close' },
      });
      return answer.text();
    };
    await expect.poll(online).toContain('"online"');
    // What runs once, to warm up or to end a call, is over within seconds. What comes again is always there.
    const short = async () => (await pendingTimers()).filter(({ delayMs }) => delayMs < shortestPauseMs);
    await expect.poll(short, { interval: 250 }).toEqual([]);
    // The look at the line, at least: an empty list would prove nothing.
    expect((await pendingTimers()).map(({ delayMs }) => delayMs)).toContain(15_000);
  });
});
