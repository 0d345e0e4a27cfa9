// `npm run dist [-- --linux deb,rpm]`: builds, and packs what this machine can; what it cannot is said by name, and why.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { electronIn } from '../../app/commands/find-electron.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import { root } from '../bundles.ts';
import { pack } from './pack.ts';
import { hasPlaceholderAddress, shippedUpdateKeys } from './shipped-facts.ts';
import type { PackedSystem } from './shipped-node.ts';
import {
  commandsHere,
  type PackedPlatform,
  packedPlatforms,
  type PackingMachine,
  systemsOf,
  targetsOf,
  toolSite,
  whyNotHere,
} from './targets.ts';

const usage = `Usage: npm run dist -- [flags]

Builds Tillbridge and packs it into release/. Without flags: every package that this machine can make.

  --linux TARGETS    of ${Object.keys(targetsOf.linux).join(', ')}
  --windows TARGETS  of ${Object.keys(targetsOf.windows).join(', ')}
  --mac TARGETS      of ${Object.keys(targetsOf.mac).join(', ')}
  --arch ARCH        x64 or arm64; default: this machine's, where the platform has it
  --help             this text

TARGETS are names with commas between. Electron comes from its download site; ELECTRON_OVERRIDE_DIST_PATH names a folder
that holds one for this system, for a package to try out.
Exit codes: 0 all that was asked for is made (without flags: something is), 1 it is not, 2 wrong use.
`;

const siteAnswersWithinMs = 3_000;
const electronSite = process.env.ELECTRON_MIRROR ?? 'https://github.com/electron/electron/releases/download/';

interface Order {
  readonly platform: PackedPlatform;
  readonly system: PackedSystem;
  readonly target: string;
}

const problems: string[] = [];
const { values: flags, positionals } = parseArgs({
  options: {
    ...Object.fromEntries(packedPlatforms.map((name) => [name, { type: 'string' as const }])),
    arch: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
  strict: false,
  allowPositionals: true,
});
if (flags.help === true) {
  process.stdout.write(usage);
  process.exit(0);
}
for (const name of Object.keys(flags)) {
  if (!['arch', 'help', ...packedPlatforms].includes(name)) problems.push(`--${name}: is not a known flag; --help lists them`);
}
for (const word of positionals) problems.push(`${word}: is not expected here; --help tells how`);
const isAskedFor = packedPlatforms.some((name) => flags[name] !== undefined);
const orders = packedPlatforms.flatMap(ordersOf);
if (problems.length > 0) end(2, problems);

const [hasElectronSite, hasToolSite] = await Promise.all([answers(electronSite), answers(toolSite)]);
const machine: PackingMachine = { platform: platform(), env: process.env, hasToolSite, hasCommand: commandsHere };
const updateKeys = keysOrEnd();
if (updateKeys.length === 0) {
  say('packaging/update-keys.json has no key: these packages take no updates by themselves (docs/updates.md).');
}
if (hasPlaceholderAddress()) {
  say('package.json: homepage and author.email are placeholders: put your own in before you ship (docs/packages.md).');
}
const possible = orders.filter((order) => !isImpossible(order));
if (possible.length > 0) {
  rmSync(join(root, 'release'), { recursive: true, force: true });
  // From the sources as they stand: a package never holds what an earlier build has left.
  const build = spawnSync(process.execPath, [join(root, 'tools', 'build.ts')], { stdio: ['ignore', 2, 2] });
  if (build.status !== 0) end(1, ['The build failed (see above); nothing was packed.']);
}
let areAllMade = true;
for (const name of packedPlatforms) areAllMade = (await makeAll(name)) && areAllMade;
process.exitCode = possible.length > 0 && areAllMade && (possible.length === orders.length || !isAskedFor) ? 0 : 1;

function keysOrEnd(): readonly string[] {
  try {
    return shippedUpdateKeys();
  } catch (error) {
    return end(1, [errorText(error)]);
  }
}

/** The packages of one platform share the app that is in them. */
async function makeAll(packed: PackedPlatform): Promise<boolean> {
  const [first, ...others] = possible.filter((order) => order.platform === packed);
  if (first === undefined) return true;
  const { system } = first;
  const targets = [first, ...others].map(({ target }) => target);
  const outcome = await pack({ platform: packed, system, targets, electronDist: electronDistFor(system) });
  if (outcome.kind === 'failed') {
    say(`${packed} ${targets.join(', ')} (${system}): not made: ${outcome.reason}`);
    return false;
  }
  for (const file of outcome.files) say(`${packed} (${system}): release/${basename(file)}${sizeOf(file)}`);
  if (targets.includes('dir')) say(`${packed} dir (${system}): in release/`);
  return true;
}

function ordersOf(name: PackedPlatform): Order[] {
  const asked = flags[name];
  if (asked === undefined && isAskedFor) return [];
  const known = Object.keys(targetsOf[name]);
  const names = typeof asked === 'string' && asked !== '' ? asked.split(',') : known.filter((one) => one !== 'dir');
  for (const one of names) {
    if (!known.includes(one)) problems.push(`--${name}: ${one} is no package for it; there are ${known.join(', ')}`);
  }
  const system = systemOf(name);
  return system === null ? [] : names.map((target) => ({ platform: name, system, target }));
}

function systemOf(name: PackedPlatform): PackedSystem | null {
  const wanted = flags.arch ?? arch();
  const found = systemsOf[name].find((system) => system.endsWith(`-${String(wanted)}`));
  if (found !== undefined) return found;
  if (flags.arch === undefined) return systemsOf[name][0] ?? null;
  problems.push(`--arch: ${String(wanted)}: there is no package of it for ${name}`);
  return null;
}

function isImpossible({ platform: packed, system, target }: Order): boolean {
  const reason = whyNoElectron(system) ?? whyNotHere(packed, target, machine);
  if (reason !== null) say(`${packed} ${target} (${system}): cannot be made here: ${reason}`);
  return reason !== null;
}

/** A folder of this machine serves for this system alone. */
function electronDistFor(system: PackedSystem): string | null {
  const named = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? '';
  return named !== '' && system === `${process.platform}-${process.arch}` ? named : null;
}

function whyNoElectron(system: PackedSystem): string | null {
  const folder = electronDistFor(system);
  if (folder === null) return hasElectronSite ? null : `it needs Electron for ${system}, and ${electronSite} cannot be reached`;
  if (electronIn(folder) === null) return `ELECTRON_OVERRIDE_DIST_PATH names ${folder}, which holds no Electron`;
  const version = existsSync(join(folder, 'version')) ? readFileSync(join(folder, 'version'), 'utf8').trim() : 'unknown';
  say(`Packed around the Electron ${version} of ELECTRON_OVERRIDE_DIST_PATH: to try out, not for shops.`);
  return null;
}

async function answers(site: string): Promise<boolean> {
  try {
    await fetch(site, { method: 'HEAD', signal: AbortSignal.timeout(siteAnswersWithinMs) });
    return true;
  } catch {
    return false;
  }
}

function sizeOf(file: string): string {
  const bytes = statSync(file).isFile() ? statSync(file).size : null;
  return bytes === null ? '' : `, ${Math.round(bytes / 1e6)} MB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(exitCode: number, lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(exitCode);
}
