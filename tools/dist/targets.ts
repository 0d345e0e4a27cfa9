import { assertNever } from '../../shared/lib/assert-never.ts';
import { onPath } from '../commands.ts';
import type { PackedSystem } from './shipped-node.ts';

export const packedPlatforms = ['linux', 'windows', 'mac'] as const;
export type PackedPlatform = (typeof packedPlatforms)[number];

/** What a target needs beside Node and an Electron for its system. */
type Need = 'fpm' | 'rpmbuild' | 'builder-tools' | 'macos';

/** Every package, by the name that electron-builder has for it. `dir` is the app in a folder, not packed. */
export const targetsOf: Readonly<Record<PackedPlatform, Readonly<Record<string, readonly Need[]>>>> = {
  linux: { dir: [], deb: ['fpm'], rpm: ['fpm', 'rpmbuild'], AppImage: ['builder-tools'] },
  windows: { dir: [], nsis: ['builder-tools'], msi: ['builder-tools'] },
  mac: { dir: [], dmg: ['macos'] },
};

/** The systems of a platform; the first is made when none is named. */
export const systemsOf: Readonly<Record<PackedPlatform, readonly PackedSystem[]>> = {
  linux: ['linux-x64', 'linux-arm64'],
  windows: ['win32-x64'],
  mac: ['darwin-arm64', 'darwin-x64'],
};

/** What is known of the machine that packs. */
export interface PackingMachine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the site answers from which electron-builder brings its tools. */
  readonly hasToolSite: boolean;
  readonly hasCommand: (name: string) => boolean;
}

export const toolSite = 'https://github.com/electron-userland/electron-builder-binaries/releases';

export function commandsHere(name: string): boolean {
  return onPath(name) !== null;
}

/** @returns why a target cannot be made on a machine; null when it can */
export function whyNotHere(platform: PackedPlatform, target: string, machine: PackingMachine): string | null {
  for (const need of targetsOf[platform][target] ?? []) {
    const reason = lacks(need, machine);
    if (reason !== null) return reason;
  }
  return null;
}

function lacks(need: Need, { platform, env, hasToolSite, hasCommand }: PackingMachine): string | null {
  switch (need) {
    case 'fpm':
      return hasToolSite || (env.CUSTOM_FPM_PATH ?? '') !== ''
        ? null
        : `it needs fpm: ${toolSite} cannot be reached, and CUSTOM_FPM_PATH names none`;
    case 'rpmbuild':
      return hasCommand('rpmbuild') ? null : 'it needs rpmbuild (the package rpm, or rpm-build)';
    case 'builder-tools':
      return hasToolSite ? null : `it needs electron-builder's tools, and ${toolSite} cannot be reached`;
    case 'macos':
      return platform === 'darwin' ? null : 'it is made on macOS alone';
    default:
      return assertNever(need);
  }
}
