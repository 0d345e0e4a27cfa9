// The entry of every command: `cli.js NAME ...args`. Each command's code is loaded only when it is asked for.

import { errorCode } from '../shared/lib/error-code.ts';
import { answeredWhole } from './commands/answer-output.ts';
import { keepInspectorShut } from './commands/closed-inspector.ts';
import { exitCodes } from './commands/exit-codes.ts';
import { guardTerminal } from './commands/terminal.ts';
import { WrongUseError } from './commands/tillbridge/wrong-use.ts';
import { heldFileIn } from './machine/held-files.ts';
import { isInstalled } from './machine/installed.ts';
import { endProcess } from './machine/thread-calls.ts';

// Before anything is made: no file of this process, and none of SQLite's, is another user's to read.
process.umask(0o077);
keepInspectorShut();
guardTerminal();

type Command = (argv: readonly string[]) => Promise<number>;

const agent = async (): Promise<Command> => (await import('./commands/agent.ts')).agentCommand;
const start = async (): Promise<Command> => {
  // It needs the agent, whose part of the build has its compiled code with it: loaded first, all that both need comes with it.
  await import('./commands/agent.ts');
  return (await import('./commands/start.ts')).startCommand;
};
const sandbox = async (): Promise<Command> => (await import('./commands/sandbox.ts')).sandboxCommand;
const window = async (): Promise<Command> => (await import('./commands/window.ts')).windowCommand;
const tillbridge = async (): Promise<Command> =>
  answeredWhole((await import('./commands/tillbridge.ts')).tillbridgeCommand);
/** For packaging/linux/tillbridge-install alone. */
const installUpdate = async (): Promise<Command> => (await import('./commands/install-update.ts')).installUpdateCommand;

/** Of a checkout, where `npm run` names them. */
const ofCheckout: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({ agent, start, sandbox, tillbridge }),
);
/** Of a package: every other word is a command for store IT. The window is a program of its own there. */
const ofPackage: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({ agent, sandbox, window, 'install-update': installUpdate }),
);

/** Whatever still holds the process after a command has ended gets this long. */
const lingerMs = 2_000;

const argv = process.argv.slice(2);
const named = (isInstalled ? ofPackage : ofCheckout).get(argv[0] ?? '');
if (named !== undefined) void run(named, argv.slice(1));
else if (isInstalled) void run(tillbridge, argv);
else {
  process.stderr.write(`Name a command: ${[...ofCheckout.keys()].join(', ')}. Each tells more with --help.\n`);
  process.exitCode = 2;
}

function inFull(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function whyEnded(error: unknown): { readonly words: string; readonly exitCode: number } {
  if (error instanceof WrongUseError) return { words: error.message, exitCode: exitCodes.wrongUse };
  const tooLong = tooLongNameIn(error);
  if (tooLong !== null) {
    return { words: `${tooLong}: the name is too long. Name a shorter one.`, exitCode: exitCodes.outOfReach };
  }
  const held = heldFileIn(error);
  return held === null
    ? { words: inFull(error), exitCode: exitCodes.problemFound }
    : { words: held.message, exitCode: exitCodes.outOfReach };
}

/** A path, or a part of it, that no disk takes: mostly the data folder's. */
function tooLongNameIn(error: unknown): string | null {
  if (!(error instanceof Error) || errorCode(error) !== 'ENAMETOOLONG') return null;
  return 'path' in error && typeof error.path === 'string' ? error.path : error.message;
}

async function run(loadCommand: () => Promise<Command>, args: readonly string[]): Promise<void> {
  try {
    const command = await loadCommand();
    process.exitCode = await command(args);
  } catch (error) {
    const { words, exitCode } = whyEnded(error);
    process.stderr.write(`${words}\n`);
    process.exitCode = exitCode;
  }
  setTimeout(() => endProcess(), lingerMs).unref();
}
