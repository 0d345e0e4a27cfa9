import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { errorText } from '../../shared/lib/error-code.ts';
import { crashSignals } from '../machine/crash-signals.ts';
import { readyWords } from './agent.ts';
import { agentFlags, dataDirOf, secretsNote } from './agent-flags.ts';
import { complain } from './complain.ts';
import { exitCodes } from './exit-codes.ts';
import { findElectron, whyNoDisplay } from './find-electron.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';
import { hostAfterCommands } from './host-when-free.ts';
import { rendererDir } from './renderer-dir.ts';
import { stopSignal, stopSignals } from './stop-signal.ts';
import { stopAgent } from './tillbridge/stop.ts';

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
  const opened = await openWindow(argv, dataDirOf(parsed.values, process.env));
  if (opened.kind === 'ended') return opened.exitCode;
  process.stderr.write(`No window: ${opened.reason}. The cashier screen is served for a browser instead.\n`);
  return serveScreen(parsed.values);
}

type Opened =
  | { readonly kind: 'ended'; readonly exitCode: number }
  | { readonly kind: 'impossible'; readonly reason: string };

async function openWindow(argv: readonly string[], dataDir: string): Promise<Opened> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const noDisplay = whyNoDisplay(process.env);
  if (noDisplay !== null) return { kind: 'impossible', reason: noDisplay };
  const projectDir = dirname(dirname(rendererDir));
  const electron = await findElectron(projectDir, process.env, say);
  if (electron.kind === 'none') return { kind: 'impossible', reason: electron.reason };
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (isRoot) say('Running as root: Electron runs without its sandbox (--no-sandbox).');
  return runElectron(electron.executable, [...(isRoot ? ['--no-sandbox'] : []), projectDir, '--', ...argv], dataDir);
}

function runElectron(executable: string, args: readonly string[], dataDir: string): Promise<Opened> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const window = startWindow(executable, args);
    if (window instanceof Error) {
      resolve({ kind: 'impossible', reason: `Electron does not start (${window.message})` });
      return;
    }
    let isAsked = false;
    const forward = (signal: NodeJS.Signals): void => {
      isAsked = true;
      endWindow(window, { signal, dataDir });
    };
    for (const signal of stopSignals) process.on(signal, forward);
    const end = (opened: Opened): void => {
      for (const signal of stopSignals) process.off(signal, forward);
      resolve(opened);
    };
    window.once('error', (error) => end({ kind: 'impossible', reason: `Electron does not start (${error.message})` }));
    window.once('close', (code, signal) => {
      const died = diedAtOnce({ code, signal, ranMs: performance.now() - startedAt, isAsked });
      end(
        died === null
          ? { kind: 'ended', exitCode: code ?? exitCodes.problemFound }
          : { kind: 'impossible', reason: `Electron ended at once (${died})` },
      );
    });
  });
}

/** Some failures are told later, others are thrown: a file that is no program of this system. */
function startWindow(executable: string, args: readonly string[]): ChildProcess | Error {
  try {
    return spawn(executable, args, { stdio: 'inherit' });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** On Windows a signal to another program is its hard end: there the agent in the window is asked, as by `stop`. */
function endWindow(window: ChildProcess, { signal, dataDir }: { readonly signal: NodeJS.Signals; dataDir: string }) {
  if (process.platform !== 'win32') window.kill(signal);
  else stopAgent(dataDir).catch((error: unknown) => process.stderr.write(`${errorText(error)}\n`));
}

/** A crash later than this is no reason to open another screen: a sale may be under way. */
const startsWithinMs = 10_000;
/** How our own program ends in good order, and refuses a start: it would refuse the next one, too. */
const ownExitCodes: readonly number[] = [exitCodes.well, exitCodes.wrongUse, exitCodes.outOfReach];

/**
 * Whether Electron has ended before it could show anything: libraries that are missing, a crash, a broken download.
 *
 * @param ended.isAsked somebody has asked it to end
 * @returns how it ended; null when it ran
 */
export function diedAtOnce({
  code,
  signal,
  ranMs,
  isAsked,
}: {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ranMs: number;
  readonly isAsked: boolean;
}): string | null {
  if (ranMs >= startsWithinMs || isAsked) return null;
  if (code === null) return signal === null || !crashSignals.has(signal) ? null : signal;
  if (ownExitCodes.includes(code)) return null;
  // Windows' own codes of a crash are written in hexadecimal digits wherever one can look them up.
  return `exit code ${code > 0xffff ? `0x${code.toString(16)}` : code}`;
}

async function serveScreen(values: ReadonlyMap<string, string>): Promise<number> {
  const stopped = stopSignal();
  const outcome = await hostAfterCommands({ values, environment: process.env, ui: true, rendererDir }, stopped);
  if (outcome === null) return exitCodes.well;
  if (outcome.kind === 'refused') return complain(outcome.problems, outcome.exitCode);
  for (const note of outcome.notes) process.stderr.write(`${note}\n`);
  process.stdout.write(readyWords(outcome.agent));
  await stopped;
  await outcome.agent.close();
  return exitCodes.well;
}
