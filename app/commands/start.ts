import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { complain, readyWords } from './agent.ts';
import { agentFlags, secretsNote } from './agent-flags.ts';
import { exitCodes } from './exit-codes.ts';
import { findElectron, whyNoDisplay } from './find-electron.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';
import { hostAgent } from './host.ts';
import { rendererDir } from './renderer-dir.ts';
import { stopSignal } from './stop-signal.ts';

const flags: readonly FlagSpec[] = [...agentFlags, { name: 'help', value: null, help: 'this text' }];

/**
 * `npm start`: the desktop app; where no window can be opened, the same screen for a browser.
 *
 * @returns the exit code
 */
export async function startCommand(argv: readonly string[]): Promise<number> {
  const parsed = parseFlags(argv, flags);
  if (parsed.kind === 'help') {
    const about = `Opens the cashier screen in a window; without Electron or a display, serves it for a browser.\n${secretsNote}`;
    process.stdout.write(helpText('npm start -- [flags]', about, flags));
    return exitCodes.well;
  }
  if (parsed.kind === 'wrong') return complain(parsed.problems, exitCodes.wrongUse);
  const opened = await openWindow(argv);
  if (opened.kind === 'ended') return opened.exitCode;
  process.stderr.write(`No window: ${opened.reason}. The cashier screen is served for a browser instead.\n`);
  return serveScreen(parsed.values);
}

type Opened =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'impossible'; readonly reason: string };

async function openWindow(argv: readonly string[]): Promise<Opened> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const noDisplay = whyNoDisplay(process.env);
  if (noDisplay !== null) return { kind: 'impossible', reason: noDisplay };
  const projectDir = dirname(dirname(rendererDir));
  const electron = await findElectron(projectDir, process.env, say);
  if (electron.kind === 'none') return { kind: 'impossible', reason: electron.reason };
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (isRoot) say('Running as root: Electron runs without its sandbox (--no-sandbox).');
  return runElectron(electron.executable, [...(isRoot ? ['--no-sandbox'] : []), projectDir, '--', ...argv]);
}

/** How a process ends whose libraries are not there, or that has crashed. */
const cannotRunExitCode = 127;
/** A crash later than this is no reason to open another screen: a sale may be under way. */
const startsWithinMs = 10_000;

function runElectron(executable: string, args: readonly string[]): Promise<Opened> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const window = spawn(executable, args, { stdio: 'inherit' });
    const forward = (signal: NodeJS.Signals): void => void window.kill(signal);
    process.on('SIGTERM', forward).on('SIGINT', forward);
    const end = (opened: Opened): void => {
      process.off('SIGTERM', forward).off('SIGINT', forward);
      resolve(opened);
    };
    window.once('error', (error) => end({ kind: 'impossible', reason: `Electron does not start (${error.message})` }));
    window.once('close', (code, signal) => {
      const isEarly = performance.now() - startedAt < startsWithinMs;
      if (isEarly && (code === cannotRunExitCode || crashSignals.has(signal ?? ''))) {
        end({ kind: 'impossible', reason: 'Electron does not start here; it says why above' });
      } else {
        end({ kind: 'ended', exitCode: code ?? exitCodes.problemFound });
      }
    });
  });
}

const crashSignals: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGTRAP', 'SIGABRT', 'SIGILL', 'SIGBUS']);

async function serveScreen(values: ReadonlyMap<string, string>): Promise<number> {
  const stopped = stopSignal();
  const outcome = await hostAgent({ values, environment: process.env, ui: true, rendererDir });
  if (outcome.kind === 'refused') return complain(outcome.problems, outcome.exitCode);
  for (const note of outcome.notes) process.stderr.write(`${note}\n`);
  process.stdout.write(readyWords(outcome.agent));
  await stopped;
  await outcome.agent.close();
  return exitCodes.well;
}
