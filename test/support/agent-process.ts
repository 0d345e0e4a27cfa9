import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { builtCli } from './built-cli.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { type AgentReady, agentReadySchema } from './program.ts';

interface EndedProcess {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the command line as a child process; nothing of this process's settings leaks into it. */
export class CommandProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedProcess>;
  #stdout = '';
  #stderr = '';

  /** @param input what it reads from standard input */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}, input = '') {
    this.child = spawn(process.execPath, [builtCli(), ...args], {
      stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: { ...cleanEnvironment(), ...environment },
    });
    this.child.stdin?.end(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.ended = once(this.child, 'close').then(([exitCode, signal]) => ({
      exitCode,
      signal,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
  }

  /** The first line on standard output. */
  async firstLine(): Promise<string> {
    while (!this.#stdout.includes('\n')) {
      const more = once(this.child.stdout ?? this.child, 'data');
      const ended = await Promise.race([more.then(() => null), this.ended]);
      if (ended !== null) throw new Error(`It ended with ${ended.exitCode}: ${ended.stderr}`);
    }
    return this.#stdout.slice(0, this.#stdout.indexOf('\n'));
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<EndedProcess> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** A command that reads its standard input to the end. */
export function runWithInput(input: string, ...args: readonly string[]): Promise<EndedProcess> {
  return new CommandProcess(args, {}, input).ended;
}

export interface AgentProcess extends AgentReady {
  readonly process: CommandProcess;
  /** A call to the bridge with the local token. */
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly json: unknown }>;
  /** A call of the office, with the secret of the data folder. */
  office(name: string, input: unknown): Promise<{ readonly status: number; readonly json: unknown }>;
  stop(signal?: NodeJS.Signals): Promise<EndedProcess>;
}

/** What a data folder keeps in `secrets.json`, by name. */
export function secretsIn(dataDir: string): Readonly<Record<string, string>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')));
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'agent-'));
}

/** `agent --json` on a free port, ready. */
export async function startAgentProcess(options: {
  readonly dataDir: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<AgentProcess> {
  const { dataDir, flags = [], environment = {} } = options;
  const command = new CommandProcess(['agent', '--json', '--port', '0', '--data-dir', dataDir, ...flags], environment);
  const ready = agentReadySchema.parse(JSON.parse(await command.firstLine()));
  const ask = async (token: string, method: string, path: string, body: unknown) => {
    const response = await fetch(`${ready.base_url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  };
  return {
    ...ready,
    process: command,
    call: (method, path, body) => ask(ready.token, method, path, body),
    office: (name, input) => ask(secretsIn(dataDir).office_secret ?? '', 'POST', `/agent/office/${name}`, input),
    stop: (signal) => command.stop(signal),
  };
}
