// The entry of every command: `cli.js NAME ...args`. Each command's code is loaded only when it is asked for.

import { guardTerminal } from './commands/terminal.ts';

// Before anything is made: no file of this process, and none of SQLite's, is another user's to read.
process.umask(0o077);
guardTerminal();

type Command = (argv: readonly string[]) => Promise<number>;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  agent: async () => (await import('./commands/agent.ts')).agentCommand,
  start: async () => (await import('./commands/start.ts')).startCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  tillbridge: async () => (await import('./commands/tillbridge.ts')).tillbridgeCommand,
};

/** Whatever still holds the process after a command has ended gets this long. */
const lingerMs = 2_000;

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (load === undefined) {
  process.stderr.write(`Name a command: ${Object.keys(commands).join(', ')}. Each tells more with --help.\n`);
  process.exitCode = 2;
} else {
  await run(load);
}

async function run(loadCommand: () => Promise<Command>): Promise<void> {
  try {
    const command = await loadCommand();
    process.exitCode = await command(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
  setTimeout(() => process.exit(), lingerMs).unref();
}
