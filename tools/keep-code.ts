import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const rehearsed = join(import.meta.dirname, 'rehearsed.ts');
const patienceMs = 20_000;
/** More than one, so that what only a second sale needs is in it, too. */
const sales = 8;

/** The part of a program's ready line that is needed here. A sandbox tells its key, an agent its token. */
const readySchema = z.object({ base_url: z.url(), api_key: z.string().default(''), token: z.string().default('') });

/**
 * Plays a start and the first sales with the program that was just built, against its own sandbox, and keeps the compiled
 * code of every function that was called: the next start need not compile it (app/machine/kept-code.ts).
 *
 * @param dist the folder of the build
 * @throws when the program does not start, or takes no sale
 */
export async function keepCode(dist: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-rehearsal-'));
  const sandboxDataDir = mkdtempSync(join(tmpdir(), 'tillbridge-rehearsal-'));
  const sandbox = start(dist, ['sandbox', '--json']);
  try {
    const { base_url: baseUrl, api_key: apiKey } = await readyLine(sandbox);
    const onPractice = ['agent', '--json', '--port', '0', '--mode', 'sandbox'];
    const agent = [...onPractice, '--data-dir', dataDir, '--base-url', baseUrl];
    // For the parts that only an agent with the embedded sandbox has.
    await rehearse(start(dist, [...onPractice, '--data-dir', sandboxDataDir]), end);
    // The first start also makes the database. Its code is not kept: later starts do not need it. It is killed, so that
    // the code of a start after a kill is in what the second one keeps.
    await rehearse(start(dist, agent, { apiKey, isKept: false }), kill);
    // Programs share parts, and the last one that ends writes their code: so the agent ends after the sandbox.
    await rehearse(start(dist, agent, { apiKey }), async (last) => {
      await end(sandbox);
      await end(last);
    });
  } finally {
    sandbox.kill('SIGKILL');
    for (const folder of [dataDir, sandboxDataDir]) rmSync(folder, { recursive: true, force: true });
  }
}

async function rehearse(agent: ChildProcess, finish: (program: ChildProcess) => Promise<void>): Promise<void> {
  try {
    const { base_url: baseUrl, token } = await readyLine(agent);
    const call = (path: string, body?: unknown) =>
      fetch(`${baseUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (let sale = 0; sale < sales; sale += 1) {
      const { status } = await call('/transactions/earn', {
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: `rehearsal-${agent.pid}-${sale}`,
        amount_minor: 12_500,
        currency: 'KWD',
        branch_ref: 'rehearsal',
        metadata: { order: `R-${sale}` },
      });
      if (status !== 202) throw new Error(`A sale of the rehearsal was answered with ${status}`);
      // The first half comes before the HTTP client is loaded, the second half after it.
      if (sale === sales / 2) await pause(500);
    }
    await call('/customers/identify', { loyalty_id: 'LC-1001' });
    await call('/agent/status');
    await pause(2_000);
    await finish(agent);
  } finally {
    agent.kill('SIGKILL');
  }
}

function start(
  dist: string,
  args: readonly string[],
  { apiKey, isKept = true }: { readonly apiKey?: string; readonly isKept?: boolean } = {},
): ChildProcess {
  return spawn(process.execPath, [rehearsed, join(dist, 'app'), isKept ? 'keep' : 'run', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...(apiKey === undefined ? {} : { TILLBRIDGE_API_KEY: apiKey }),
    },
  });
}

async function readyLine(program: ChildProcess): Promise<z.output<typeof readySchema>> {
  if (program.stdout === null) throw new Error('The program has no output to read');
  const signal = AbortSignal.timeout(patienceMs);
  const lines = createInterface(program.stdout);
  const [line] = await Promise.race([
    once(lines, 'line', { signal }),
    once(program, 'exit', { signal }).then((): never => {
      throw new Error(`The program ended with exit code ${program.exitCode} before it was ready`);
    }),
  ]);
  return readySchema.parse(JSON.parse(String(line)));
}

async function kill(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit', { signal: AbortSignal.timeout(patienceMs) });
  program.kill('SIGKILL');
  await ended;
}

async function end(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit', { signal: AbortSignal.timeout(patienceMs) });
  program.kill('SIGTERM');
  await ended;
  if (program.exitCode !== 0) throw new Error(`The program ended with exit code ${program.exitCode}`);
}
