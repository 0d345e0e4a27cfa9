import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { builtCli } from './built-cli.ts';
import { cleanEnvironment } from './clean-environment.ts';

/** A command of ours as a process of its own: `agent` or `sandbox`, ready. */
export interface Program<Ready> {
  /** What its ready line says. */
  readonly ready: Ready;
  readonly pid: number;
  /** Asks it to end; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** kill -9: no chance to tidy up. */
  kill(): Promise<void>;
  /** What it has written to standard error so far. */
  errorText(): string;
}

export const agentReadySchema = z.strictObject({
  ready: z.literal(true),
  base_url: z.url(),
  token: z.string().min(20),
  ui_url: z.url().nullable(),
  customer_url: z.url().optional(),
  control_url: z.url().nullable(),
  control_key: z.string().min(20).nullable(),
  mode: z.enum(['sandbox', 'production']),
  data_dir: z.string(),
});
export type AgentReady = z.infer<typeof agentReadySchema>;

export const sandboxReadySchema = z.strictObject({
  ready: z.literal(true),
  base_url: z.url(),
  control_url: z.url(),
  api_key: z.string().startsWith('loyalty_pk_test_'),
});
export type SandboxReady = z.infer<typeof sandboxReadySchema>;

/** A process that may not be ready yet; it can be killed all the same. */
interface Launch<Ready> {
  /** Rejects when the process ends before its ready line. */
  readonly ready: Promise<Program<Ready>>;
  kill(): Promise<void>;
}

export function launchAgentProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Launch<AgentReady> {
  return launch(['agent', '--json', ...args], { environment, readySchema: agentReadySchema });
}

export function startAgentProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Program<AgentReady>> {
  return launchAgentProgram(args, environment).ready;
}

export function launchSandboxProgram(args: readonly string[] = []): Launch<SandboxReady> {
  const options = { environment: {}, readySchema: sandboxReadySchema };
  return launch(['sandbox', '--json', '--port', '0', ...args], options);
}

export function startSandboxProgram(args: readonly string[] = []): Promise<Program<SandboxReady>> {
  return launchSandboxProgram(args).ready;
}

function launch<Ready>(
  args: readonly string[],
  options: { readonly environment: Readonly<Record<string, string>>; readonly readySchema: z.ZodType<Ready> },
): Launch<Ready> {
  const child = spawn(process.execPath, [builtCli(), ...args], {
    env: { ...cleanEnvironment(), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let errorText = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errorText += chunk;
  });
  const kill = async () => {
    if (isRunning(child)) child.kill('SIGKILL');
    await exited;
  };
  const becomeReady = async (): Promise<Program<Ready>> => {
    const firstLine = await Promise.race([
      once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
      exited.then(() => null),
    ]);
    if (firstLine === null) {
      throw new Error(`${args[0]} ended with exit code ${child.exitCode} before it was ready: ${errorText.trim()}`);
    }
    return {
      ready: options.readySchema.parse(JSON.parse(firstLine)),
      pid: child.pid ?? 0,
      errorText: () => errorText,
      async stop() {
        if (isRunning(child)) child.kill('SIGTERM');
        await exited;
        return child.exitCode;
      },
      kill,
    };
  };
  return { ready: becomeReady(), kill };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
