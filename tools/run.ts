// `node tools/run.ts NAME ...args`: makes sure that dist/ is fresh, then runs NAME in this very process, so that
// signals, exit codes and standard input are its own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleSources, root } from './bundles.ts';
import { fingerprintSources, isFresh } from './freshness.ts';

type Program = {
  /** The module to run, relative to the root. Running it is importing it. */
  readonly module: string;
  /** What it finds in `process.argv` before the caller's own arguments. */
  readonly leadingArgs: readonly string[];
};

const programs: Readonly<Record<string, Program>> = {
  start: { module: 'dist/app/cli.js', leadingArgs: ['start'] },
  agent: { module: 'dist/app/cli.js', leadingArgs: ['agent'] },
  sandbox: { module: 'dist/app/cli.js', leadingArgs: ['sandbox'] },
  tillbridge: { module: 'dist/app/cli.js', leadingArgs: ['tillbridge'] },
  demo: { module: 'demo/demo.ts', leadingArgs: [] },
  bench: { module: 'test/bench/bench.ts', leadingArgs: [] },
};

const [name = '', ...args] = process.argv.slice(2);
const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
if (program === undefined) {
  fail(2, `Usage: node tools/run.ts NAME [args], where NAME is one of: ${Object.keys(programs).join(', ')}.`);
}
enableCompileCache(join(root, 'node_modules', '.cache', 'compile'));

if (!isFresh(join(root, 'dist'), fingerprintSources(root, bundleSources))) {
  // In a process of its own: Vite's memory and its changes to the environment stay out of the program.
  const build = spawnSync(process.execPath, [join(root, 'tools', 'build.ts'), '--if-stale'], {
    stdio: ['ignore', 2, 2],
  });
  if (build.signal !== null) process.kill(process.pid, build.signal);
  if (build.status !== 0) fail(1, 'The build failed (see above); nothing was started.');
}

const file = join(root, program.module);
if (!existsSync(file)) fail(1, `${program.module} does not exist; \`${name}\` cannot run.`);
process.argv = [process.execPath, file, ...program.leadingArgs, ...args];
await import(pathToFileURL(file).href);

function fail(exitCode: number, message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
