import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import { root } from '../../tools/bundles.ts';
import { pack } from '../../tools/dist/pack.ts';

/** In what the package of a test differs from what is shipped. */
interface TestPackage {
  readonly version?: string;
  readonly targets?: readonly string[];
  readonly changes?: Configuration;
  /** Public keys for updates. */
  readonly updateKeys?: readonly string[];
  /** What its main process begins with, instead of the app. */
  readonly main?: string;
}

/** Packs the built app for this system around the Electron that the tests run. @returns the folder of the packages */
export async function packForTest(electronDist: string, name: string, wanted: TestPackage = {}): Promise<string> {
  const output = join(root, 'node_modules', '.cache', 'test-packages', name);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const packed = await pack({
    platform: 'linux',
    system: process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64',
    targets: wanted.targets ?? ['dir'],
    electronDist,
    ...(wanted.updateKeys === undefined ? {} : { updateKeys: wanted.updateKeys }),
    changes: {
      directories: { output, buildResources: 'packaging' },
      ...wanted.changes,
      extraMetadata: {
        ...(wanted.version === undefined ? {} : { version: wanted.version }),
        ...(wanted.main === undefined ? {} : { main: wanted.main }),
      },
    },
  });
  if (packed.kind === 'failed') throw new Error(`It was not packed: ${packed.reason}`);
  return output;
}
