import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunningAgent } from '../../app/agent/agent.ts';
import { hostAgent } from '../../app/commands/host.ts';
import { lookEveryMs } from '../../app/config/settings-files.ts';
import { type TillState, tillStateSchema } from '../../shared/till/views.ts';
import { temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
let agent: RunningAgent;
let feedsAsked: string[];
beforeEach(() => {
  // The timers of the agent; its sockets and its disk are real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = temporaryFolder();
  feedsAsked = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await agent.close();
  folder.remove();
});

/** Starts an installed till whose deployed file says that. */
async function start(deployed: object): Promise<void> {
  deploy(deployed);
  const outcome = await hostAgent({
    values: new Map([
      ['data-dir', folder.file('data')],
      ['config', folder.file('deployed.json')],
      ['port', '0'],
    ]),
    environment: {},
    ui: false,
    rendererDir: '',
    isPackaged: true,
    updates: {
      version: '0.1.0',
      platform: 'linux-x64',
      packageKind: 'deb',
      feedKeys: ['a key'],
      async fetch(url) {
        feedsAsked.push(url.href);
        throw new Error('away');
      },
      download: async () => '',
      screenUse: async () => ({ isDialogOpen: false, isCustomerShown: false, touchedAtMs: null }),
      install: async () => undefined,
      keptVersion: () => null,
    },
  });
  if (outcome.kind !== 'running') throw new Error(outcome.problems.join(' '));
  ({ agent } = outcome);
}

function deploy(settings: object): void {
  // A change within the grain of a file's time is seen by its size.
  writeFileSync(folder.file('deployed.json'), JSON.stringify(settings));
}

async function ask(command: string, input: object): Promise<unknown> {
  const reply = await (await agent.openTill()).handle({ command, input });
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value;
}

async function stateAfterALook(): Promise<TillState> {
  await vi.advanceTimersByTimeAsync(lookEveryMs);
  return tillStateSchema.parse(await ask('state.read', {}));
}

it('what holds at once holds within 15 seconds in a till that runs', async () => {
  await start({ mode: 'sandbox' });
  deploy({
    mode: 'sandbox',
    locale: 'ar',
    window: { kiosk: 'on' },
    update: { feed: 'http://127.0.0.1:9/feed' },
  });
  await expect.poll(async () => (await stateAfterALook()).desktop.kiosk).toBe(true);
  expect((await stateAfterALook()).locale).toBe('ar');
  expect(feedsAsked[0] ?? 'none was asked').toContain('http://127.0.0.1:9/feed/');
});

it('a language that a cashier chose stays, whatever else is deployed', async () => {
  await start({ mode: 'sandbox', locale: 'en' });
  await ask('locale.set', { locale: 'ar' });
  deploy({ mode: 'sandbox', locale: 'en', window: { kiosk: 'on' } });
  await expect.poll(async () => (await stateAfterALook()).desktop.kiosk).toBe(true);
  expect((await stateAfterALook()).locale).toBe('ar');
});

it('a new till no longer asks what it is for, as soon as a file says it', async () => {
  await start({});
  expect((await stateAfterALook()).asks_mode).toBe(true);
  deploy({ mode: 'sandbox' });
  await expect.poll(async () => (await stateAfterALook()).asks_mode).toBe(false);
});
