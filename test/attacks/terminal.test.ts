import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';

/** Clears the screen, sets the window's title by ESC and by C1, turns the writing round, overwrites the line. */
const attack = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u009d0;owned\u009c\u202e\u007f\rALL WELL';
/** What a terminal obeys; the ends of lines and tabs are the program's own. */
const obeyed = /\r(?!\n)|(?![\r\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

let dataDir: string;
let service: Server;
let agent: AgentProcess;
const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;

beforeAll(async () => {
  dataDir = newDataDir();
  // A service, or whoever stands in for it, whose words are commands for a terminal.
  service = createServer((request, response) => {
    request.resume();
    const json = { 'content-type': 'application/json' };
    if (request.method === 'GET') {
      response.writeHead(200, json).end('{"data":[]}');
      return;
    }
    const error = { code: 'CARD_NOT_ELIGIBLE', message: attack, retryable: false, request_id: 'r', details: [attack] };
    response.writeHead(422, json).end(JSON.stringify({ error }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  agent = await startAgentProcess({
    dataDir,
    environment: {
      TILLBRIDGE_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
      TILLBRIDGE_API_KEY: 'loyalty_pk_test_1',
    },
  });
  const sale = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'EVIL-\u202e1', amount_minor: 1_000 };
  expect((await agent.call('POST', '/transactions/earn', sale)).status).toBe(202);
  let seen = '';
  while (!seen.includes('"refused":1')) {
    seen = JSON.stringify((await agent.call('GET', '/agent/status')).json);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
afterAll(async () => {
  await agent.stop();
  service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a terminal', () => {
  it.each([
    ['queue', 'list'],
    ['queue', 'list', '--json'],
    ['queue', 'show', 'EVIL-\u202e1'],
    ['queue', 'show', 'EVIL-\u202e1', '--json'],
    ['queue', 'export'],
    ['queue', 'export', '--format', 'json'],
    ['queue', 'list', '--state', attack],
    [attack],
  ])('obeys nothing that comes from outside: %j', async (...args) => {
    const { stdout, stderr } = await run(...args);
    expect(stdout + stderr).toMatch(/EVIL-|owned/);
    expect(stdout + stderr).not.toMatch(obeyed);
  });

  it('is given the same JSON that a program reads', async () => {
    const { operations } = JSON.parse((await run('queue', 'list', '--json')).stdout);
    expect(operations).toMatchObject([{ external_ref: 'EVIL-\u202e1', error: { message: attack } }]);
  });
});
