import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import { findRunningAgent } from '../http/running-agent.ts';
import { typed } from '../machine/installed.ts';
import { agentFlags, dataDirOf } from './agent-flags.ts';
import { complain } from './complain.ts';
import { exitCodes } from './exit-codes.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';
import { rendererDir } from './renderer-dir.ts';
import { type Ended, RestartRule } from './restart-rule.ts';

const flags: readonly FlagSpec[] = [...agentFlags, { name: 'help', value: null, help: 'this text' }];

const about = `Opens the window, and opens it again when it crashes or its agent does not answer for 30 seconds.
After 5 crashes within 10 minutes it gives up. A window that is quit stays closed.

Exit code 1: it crashed too often.`;

/** Between two looks, and how long an answer may take. So many looks in a row without one are a hang. */
const lookEveryMs = 10_000;
const answerWithinMs = 9_000;
const mostMissed = 3;
/** A program that hangs may write its dump for so long. */
const dumpMs = 5_000;

/**
 * `tillbridge-agent window`: the window of a package, watched. At a kiosk, the start at login runs it.
 *
 * @returns the exit code
 */
export async function windowCommand(argv: readonly string[]): Promise<number> {
  const parsed = parseFlags(argv, flags);
  if (parsed.kind === 'help') {
    process.stdout.write(helpText(typed('window [flags]'), about, flags));
    return exitCodes.well;
  }
  if (parsed.kind === 'wrong') return complain(parsed.problems, exitCodes.wrongUse);
  const executable = windowProgram();
  if (!existsSync(executable)) return complain([`${executable}: is not installed`], exitCodes.outOfReach);
  // Chromium has no sandbox for root, and does not start without being told so.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return keepOpen(executable, [...(isRoot ? ['--no-sandbox'] : []), ...argv], dataDirOf(parsed.values, process.env));
}

/**
 * Of a package: its agent is in `resources/agent`, and the window's own program above. A launcher between them watches
 * the first start after an update.
 */
function windowProgram(): string {
  const resources = dirname(dirname(dirname(rendererDir)));
  const launcher = join(resources, 'tillbridge');
  return existsSync(launcher) ? launcher : join(dirname(resources), 'tillbridge');
}

async function keepOpen(executable: string, args: readonly string[], dataDir: string): Promise<number> {
  const rule = new RestartRule();
  const stop = new AbortController();
  let child: ChildProcess | null = null;
  const forward = (signal: NodeJS.Signals): void => {
    stop.abort();
    child?.kill(signal);
  };
  process.on('SIGTERM', forward).on('SIGINT', forward);
  for (;;) {
    child = spawn(executable, args, { stdio: 'inherit' });
    const ended = await endOf(child, dataDir);
    // Who has told this program to end has told the window, too.
    if (stop.signal.aborted) return ended.exitCode ?? exitCodes.problemFound;
    const next = rule.ended(ended, performance.now());
    switch (next.kind) {
      case 'done':
        return next.exitCode;
      case 'give_up':
        return complain(
          [`The window crashed too often. Run ${typed('bundle')} and call support.`],
          exitCodes.problemFound,
        );
      case 'start_again':
        process.stderr.write(`The window crashed (${ended.signal ?? ended.exitCode}); it is opened again.\n`);
        await pause(next.afterMs, undefined, { signal: stop.signal }).catch(() => undefined);
        if (stop.signal.aborted) return exitCodes.well;
        break;
      default:
        assertNever(next);
    }
  }
}

async function endOf(child: ChildProcess, dataDir: string): Promise<Ended> {
  const endWatch = watchAnswers(child, dataDir);
  try {
    const [exitCode, signal]: [number | null, NodeJS.Signals | null] = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, by) => resolve([code, by]));
    });
    return { exitCode, signal };
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    return { exitCode: exitCodes.outOfReach, signal: null };
  } finally {
    endWatch();
  }
}

/** Ends a window whose own agent has answered and then does not any more. @returns a function that ends the watch */
function watchAnswers(child: ChildProcess, dataDir: string): () => void {
  let hasAnswered = false;
  let missed = 0;
  const look = async (): Promise<void> => {
    const agent = findRunningAgent(dataDir);
    // An agent of another process, such as the machine's service, is watched by whoever started it.
    if (agent === null || agent.pid !== child.pid) return;
    const isWell = await fetch(`http://127.0.0.1:${agent.port}/healthz`, {
      signal: AbortSignal.timeout(answerWithinMs),
    }).then(
      () => true,
      () => false,
    );
    hasAnswered ||= isWell;
    missed = isWell || !hasAnswered ? 0 : missed + 1;
    if (missed < mostMissed) return;
    missed = 0;
    process.stderr.write('The agent of the window does not answer; the window is ended.\n');
    // By this signal it leaves a minidump.
    child.kill('SIGABRT');
    const closed = once(child, 'close').catch(() => undefined);
    await Promise.race([closed, pause(dumpMs, undefined, { ref: false })]);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  return () => clearInterval(timer);
}
