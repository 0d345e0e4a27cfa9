// `npm test [-- filters]`: type check, lint, build and all tests, and one closing line with the sum.
// `npm run test:one -- FILE`: the build, where it is stale, and the tests of that file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bundles.ts';
import { ensureChromium, type FoundProgram } from './chromium.ts';
import { onPath, run } from './commands.ts';
import { ensureElectron } from './electron.ts';
import { filesToTryAgain, unsteadyLines, withSecondRun } from './second-run.ts';
import {
  addTotals,
  closingLine,
  parseTestRun,
  type TestRun,
  type TestTotals,
  testRunFileVariable,
} from './test-totals.ts';

const usage = `Usage: npm test -- [filters] [flags of vitest]

Checks types, style and layers, builds, and runs the tests whose path contains one of the filters; without a filter all.
It ends with one line: N passed, N failed. Without a filter, a few screens and windows that failed are tried once more, alone;
those that pass then are named as UNSTEADY above that line.

  npm test -- test/ui          a folder
  npm test -- test/ui/stories  some files
  npm test -- -t 'a name'      by the tests' names

npm run test:one -- FILE, with a file, a folder or a part of a path, leaves out the check of types and style.
`;

const nothingCounted: TestTotals = { passed: 0, failed: 0, skipped: 0 };
const passedOnce: TestTotals = { passed: 1, failed: 0, skipped: 0 };
const failedOnce: TestTotals = { passed: 0, failed: 1, skipped: 0 };
const skippedOnce: TestTotals = { passed: 0, failed: 0, skipped: 1 };

const isOne = process.argv[2] === '--one';
const vitestArgs = process.argv.slice(isOne ? 3 : 2);
if (vitestArgs.includes('--help')) {
  process.stdout.write(usage);
  process.exit(0);
}
if (isOne && (vitestArgs[0] ?? '-').startsWith('-')) {
  process.stderr.write(`Which file? Name it first.\n\n${usage}`);
  process.exit(2);
}
const filters = filtersIn(vitestArgs);
const env: NodeJS.ProcessEnv = { ...process.env };
let totals = nothingCounted;
let needsDisplay = false;

// Side by side: each of them leaves a processor idle for a part of its time.
const checks = [
  ...(isOne ? [] : [check('typecheck', npmScript('typecheck')), check('lint', npmScript('lint'))]),
  check('build', [process.execPath, join(root, 'tools', 'build.ts'), '--if-stale']),
  findPrograms(),
];
for (const checked of await Promise.all(checks)) count(checked);
count(runTests());

process.exitCode = totals.failed > 0 ? 1 : 0;
process.stdout.write(`${closingLine(totals)}\n`);

// With options among them it is not plain which are filters (`-t words`): then everything may run. One file stands first.
function filtersIn(args: readonly string[]): readonly string[] {
  const firstOption = args.findIndex((argument) => argument.startsWith('-'));
  if (firstOption === -1) return args;
  return isOne ? args.slice(0, firstOption) : [];
}

function count(more: TestTotals): void {
  totals = addTotals(totals, more);
}

// By the npm that runs this, so that package.json alone says what each check is.
function npmScript(name: string): readonly [string, ...string[]] {
  const npm = env.npm_execpath;
  const args = ['run', '--silent', name];
  return npm === undefined ? ['npm', ...args] : [process.execPath, npm, ...args];
}

/** What a check says comes in one piece, when it has ended. */
async function check(name: string, [command, ...args]: readonly [string, ...string[]]): Promise<TestTotals> {
  const startedAt = performance.now();
  const { exitCode, output } = await run(command, args, { cwd: root, env });
  const verdict = exitCode === 0 ? 'passed' : 'FAILED';
  process.stdout.write(`${output}${name}: ${verdict} (${Math.round(performance.now() - startedAt)} ms)\n`);
  return exitCode === 0 ? passedOnce : failedOnce;
}

/** The programs that the tests need beside Node, named in `env`. One after the other: both may install packages. */
async function findPrograms(): Promise<TestTotals> {
  let found = nothingCounted;
  if (willRun('test/ui')) {
    const chromium = await ensureChromium(env);
    if (chromium.found) env.CHROMIUM_PATH = chromium.path;
    else {
      delete env.CHROMIUM_PATH;
      found = addTotals(found, reportMissing('The tests of the screen do not run', chromium.reason));
    }
  }
  if (willRun('test/electron')) {
    const electron = await usableElectron();
    if (electron.found) {
      env.ELECTRON_OVERRIDE_DIST_PATH = electron.path;
      needsDisplay = lacksDisplay();
    } else {
      delete env.ELECTRON_OVERRIDE_DIST_PATH;
      found = addTotals(found, reportMissing('The Electron tests do not run', electron.reason));
    }
  }
  return found;
}

// A build server must not pass without having looked at the screen; a developer's machine may lack a browser, or Electron.
function reportMissing(what: string, reason: string): TestTotals {
  process.stderr.write(`\n!!! ${what}: ${reason}.\n\n`);
  return env.CI === 'true' ? failedOnce : skippedOnce;
}

async function usableElectron(): Promise<FoundProgram> {
  const electron = await ensureElectron(env);
  if (electron.found && lacksDisplay() && onPath('xvfb-run') === null) {
    return { found: false, reason: 'there is no display and no xvfb-run' };
  }
  return electron;
}

function lacksDisplay(): boolean {
  return process.platform === 'linux' && (env.DISPLAY ?? '') === '';
}

// Whether a test file under `folder` is among those asked for; vitest takes a filter as a part of the path.
function willRun(folder: string): boolean {
  let files: string[];
  try {
    files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return false; // No such folder.
  }
  return files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .some((file) => filters.length === 0 || filters.some((filter) => join(root, folder, file).includes(filter)));
}

/** Runs what was asked for; of the whole, what fails for want of time is tried once more, when nothing else runs. */
function runTests(): TestTotals {
  const first = runVitest(vitestArgs);
  const tried = vitestArgs.length === 0 ? filesToTryAgain(first) : [];
  if (tried.length === 0) return first;
  const second = runVitest(tried.map(({ path }) => path));
  for (const line of unsteadyLines(tried, second)) process.stdout.write(`${line}\n`);
  return withSecondRun(first, tried, second);
}

function runVitest(asked: readonly string[]): TestRun {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-test-'));
  const runFile = join(folder, 'run.json');
  try {
    const vitest: [string, ...string[]] = [
      process.execPath,
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...asked,
    ];
    const [command, ...args]: [string, ...string[]] = needsDisplay ? ['xvfb-run', '-a', ...vitest] : vitest;
    const { status } = spawnSync(command, args, {
      cwd: root,
      env: { ...env, [testRunFileVariable]: runFile },
      stdio: 'inherit',
    });
    const counted = readTestRun(runFile);
    if (counted === null) {
      process.stderr.write('vitest ended without its numbers: counted as one failure.\n');
      return { ...failedOnce, failedFiles: [] };
    }
    // It can fail for a reason that is no test, such as a coverage threshold or a filter that matches nothing.
    return status !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTestRun(file: string): TestRun | null {
  try {
    return parseTestRun(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
