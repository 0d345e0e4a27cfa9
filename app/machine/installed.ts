import { readFileSync } from 'node:fs';
import { basename, dirname, join, posix, win32 } from 'node:path';

/** What a package says of itself. */
interface Manifest {
  readonly installed: boolean;
  readonly version: string | null;
  /** Public keys of the feed of updates, each as base64 of its SPKI form. */
  readonly updateKeys: readonly string[];
}

interface Installed {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The folder of a package that this program runs from; null for a checkout, whose commands are npm's. */
const installed = packageOf(import.meta.dirname);
const installedIn = installed?.folder ?? null;

/** What the package of this program says of it; of a checkout nothing. */
export const manifest: Manifest = installed?.manifest ?? manifestIn({});

/** Whether this program was installed from a package. */
export const isInstalled = installedIn !== null;

/**
 * A package says so in the package.json beside its `dist` (electron-builder.yml writes it there).
 *
 * @param moduleDir where the running code is: `dist/app`, `dist/main/chunks`, or `app/machine`
 */
function packageOf(moduleDir: string): Installed | null {
  for (let folder = moduleDir; dirname(folder) !== folder; folder = dirname(folder)) {
    if (basename(folder) !== 'dist') continue;
    const above = dirname(folder);
    try {
      const read = manifestIn(JSON.parse(readFileSync(join(above, 'package.json'), 'utf8')));
      return read.installed ? { folder: above, manifest: read } : null;
    } catch {
      return null;
    }
  }
  return null;
}

/** Checked by hand: every command begins with this file, and zod would be loaded before it is known which one runs. */
function manifestIn(read: { readonly [field in keyof Manifest]?: unknown }): Manifest {
  const { installed, version, updateKeys } = read;
  return {
    installed: installed === true,
    version: typeof version === 'string' ? version : null,
    updateKeys: Array.isArray(updateKeys) ? updateKeys.filter((key) => typeof key === 'string') : [],
  };
}

/** A machine with a package on it. */
interface PackagePlace {
  readonly platform: NodeJS.Platform;
  /** What holds `dist`: the agent's folder, or the archive of the window. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * How a package's commands begin. A deb and an rpm put the command on the PATH. The Windows installer does not: a
 * PATH that is longer than its texts would be cut. There, on a Mac and in an AppImage it has its whole path.
 */
export function commandOf({ platform, folder, environment }: PackagePlace): string {
  if (platform === 'linux' && environment.APPIMAGE === undefined) return 'tillbridge-agent';
  const path = pathsOf(platform).join(
    agentFolder(folder, platform),
    platform === 'win32' ? 'tillbridge-agent.cmd' : 'tillbridge-agent',
  );
  // PowerShell runs a path in quotes after an ampersand alone.
  return platform === 'win32' && path.includes(' ') ? `& "${path}"` : quoted(path);
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

function agentFolder(folder: string, platform: NodeJS.Platform): string {
  const paths = pathsOf(platform);
  return folder.endsWith('.asar') ? paths.join(paths.dirname(folder), 'agent') : folder;
}

interface NodePlace {
  readonly executable: string;
  /** Where its modules are looked for. */
  readonly folder: string;
}

/**
 * The Node of a package: the window's program is none (electron-builder.yml's fuses), and would open a second window. It
 * reads no archive, and takes the agent's modules.
 */
export function nodeOf({ platform, folder }: Omit<PackagePlace, 'environment'>): NodePlace {
  const agent = agentFolder(folder, platform);
  return { executable: pathsOf(platform).join(agent, platform === 'win32' ? 'node.exe' : 'node'), folder: agent };
}

/** What runs another program of ours beside this process. */
export const ownNode: NodePlace =
  installedIn === null
    ? { executable: process.execPath, folder: import.meta.dirname }
    : nodeOf({ platform: process.platform, folder: installedIn });

const packageCommand =
  installedIn === null
    ? null
    : commandOf({ platform: process.platform, folder: installedIn, environment: process.env });

/** What starts the agent without a window, and the sandbox alone; all others look after an agent. */
const programs: ReadonlySet<string> = new Set(['agent', 'sandbox']);

/**
 * A command as its user has to type it.
 *
 * @param command its words and flags: `settings set api_key -`
 * @param begin how a package's commands begin; null in a checkout
 */
export function typed(command: string, begin = packageCommand): string {
  if (begin !== null) return `${begin} ${command}`;
  const [name = '', ...rest] = command.split(' ');
  return programs.has(name) ? ['npm run', name, '--', ...rest].join(' ') : `npm run --silent tillbridge -- ${command}`;
}

/** A path as a part of a command that somebody types. */
export function quoted(path: string): string {
  return /[^\w./:\\~-]/.test(path) ? `"${path}"` : path;
}
