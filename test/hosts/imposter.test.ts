import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOfficeProof, officeProof } from '../../app/http/office-proof.ts';
import {
  type AgentProcess,
  CommandProcess,
  newDataDir,
  runWithInput,
  secretsIn,
  startAgentProcess,
} from '../support/agent-process.ts';

let dataDir: string;
let agents: AgentProcess[];
let imposter: Server | null;
/** All that the imposter was sent. */
let heard: string;

beforeEach(() => {
  dataDir = newDataDir();
  agents = [];
  imposter = null;
  heard = '';
});
afterEach(async () => {
  imposter?.closeAllConnections();
  imposter?.close();
  for (const agent of agents) await agent.stop('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

async function start(): Promise<AgentProcess> {
  const agent = await startAgentProcess({ dataDir });
  agents.push(agent);
  return agent;
}

/** Takes a port and answers every request well; what it says to one is the test's. */
async function standInAt(port: number, say: (asked: IncomingMessage) => object | Promise<object>): Promise<number> {
  const hear = async (asked: IncomingMessage): Promise<string> => {
    heard += `${asked.method} ${asked.url} ${JSON.stringify(asked.headers)}`;
    for await (const chunk of asked) heard += String(chunk);
    return JSON.stringify(await say(asked));
  };
  const server = createServer((asked, answer) => {
    void hear(asked).then((text) => answer.writeHead(200, { 'content-type': 'application/json' }).end(text));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  imposter = server;
  return (server.address() as AddressInfo).port;
}

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args, '--data-dir', dataDir]).ended;

function expectNothingTold(): void {
  // A count stands beside the secrets, and is none.
  const secrets = Object.values(secretsIn(dataDir)).filter((secret) => !/^\d+$/.test(secret));
  for (const secret of [...secrets, '471108']) expect(heard).not.toContain(secret);
}

const well = () => ({ status: 'ok', mode: 'sandbox', proof: 'A'.repeat(43) });

describe('a program that has taken the port of an agent that was killed', () => {
  it('is handed no token, no PIN and no secret, by no command and by no start', async () => {
    const agent = await start();
    await agent.stop('SIGKILL');
    await standInAt(Number(new URL(agent.base_url).port), well);
    expect((await run('status')).exitCode).toBe(3);
    const added = await runWithInput('471108\n', 'tillbridge', 'people', 'add-manager', 'Mona', '--data-dir', dataDir);
    // The folder is free: the command does its work there itself.
    expect(added).toMatchObject({ exitCode: 0 });
    await run('doctor');
    await start();
    expect(heard).toContain('/v1/agent/proof');
    expectNothingTold();
    expect((await run('people', 'list')).stdout).toContain('Mona');
  });

  it('has no use for a proof of another port, process or question', () => {
    const facts = { port: 4_711, pid: 12, challenge: 'a'.repeat(43) };
    const proof = officeProof('secret', facts);
    expect(isOfficeProof('secret', facts, proof)).toBe(true);
    for (const other of [{ port: 4_712 }, { pid: 13 }, { challenge: 'b'.repeat(43) }]) {
      expect(isOfficeProof('secret', { ...facts, ...other }, proof)).toBe(false);
    }
    expect(isOfficeProof('another', facts, proof)).toBe(false);
  });

  it('cannot pass the question on to the agent that runs elsewhere by now', async () => {
    const agent = await start();
    const port = await standInAt(0, async (asked) => {
      const answer = await fetch(new URL(asked.url ?? '', agent.base_url));
      return answer.json() as Promise<object>;
    });
    const told = JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8')) as object;
    writeFileSync(join(dataDir, 'agent.json'), JSON.stringify({ ...told, port }));
    const status = await run('status');
    expect(status.exitCode).toBe(3);
    expect(heard).toContain('/v1/agent/proof');
    expectNothingTold();
  });
});

describe('the secret of a data folder', () => {
  it.skipIf(process.platform === 'win32')('is for this user alone, of this folder alone, and never told', async () => {
    const agent = await start();
    const secret = secretsIn(dataDir).office_secret ?? '';
    expect(secret).toMatch(/^tillbridge_office_[\w-]{43}$/);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    const outputs = [
      await run('status', '--json'),
      await run('tokens', 'list', '--json'),
      await run('doctor', '--json'),
    ];
    const ended = await agent.stop();
    for (const { stdout, stderr } of [...outputs, ended]) expect(stdout + stderr).not.toContain(secret);
    expect(readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8')).not.toContain(secret);
  });
});
