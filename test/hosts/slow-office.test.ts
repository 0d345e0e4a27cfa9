import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hostAgent } from '../../app/commands/host.ts';
import { tillbridgeCommand } from '../../app/commands/tillbridge.ts';
import { temporaryFolder } from '../support/core-rows.ts';

/** A second here is so many of a till's. The proof of the agent keeps its own time: it needs no patience. */
const timesFaster = 20;
const shortestPatienceMs = 20_000;

it('a command waits for as long as the agent waits for a feed that does not answer, and tells what it says', async () => {
  const folder = temporaryFolder();
  const dataDir = folder.file('data');
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  const patience = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => realTimeout(ms < shortestPatienceMs ? ms : ms / timesFaster));
  const written: string[] = [];
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  writeFileSync(folder.file('deployed.json'), '{"update": {"feed": "http://127.0.0.1:9/feed"}}');
  const outcome = await hostAgent({
    values: new Map([
      ['data-dir', dataDir],
      ['port', '0'],
      ['config', folder.file('deployed.json')],
    ]),
    environment: {},
    ui: false,
    rendererDir: '',
    updates: {
      version: '0.1.0',
      platform: 'linux-x64',
      packageKind: 'deb',
      feedKeys: ['a key'],
      async fetch(url, { timeoutMs }) {
        await setTimeout(timeoutMs / timesFaster);
        throw new Error(`${url.href} cannot be reached`);
      },
      download: async () => '',
      screenUse: async () => ({ isDialogOpen: false, isCustomerShown: false, touchedAtMs: null }),
      install: async () => undefined,
      keptVersion: () => null,
    },
  });
  if (outcome.kind !== 'running') throw new Error(outcome.problems.join(' '));
  onTestFinished(async () => {
    output.mockRestore();
    patience.mockRestore();
    await outcome.agent.close();
    folder.remove();
  });
  const exitCode = await tillbridgeCommand(['update', 'check', '--data-dir', dataDir]);
  expect({ exitCode, told: written.join('') }).toEqual({
    exitCode: 1,
    told: expect.stringContaining('failed: http://127.0.0.1:9/feed/'),
  });
});
