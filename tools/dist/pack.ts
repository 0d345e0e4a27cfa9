import { join } from 'node:path';
import { Arch, build, type Configuration, Platform } from 'electron-builder';
import { root } from '../bundles.ts';
import { electronToPack } from './electron-to-pack.ts';
import { makeShippedNode, type PackedSystem } from './shipped-node.ts';
import type { PackedPlatform } from './targets.ts';

interface PackingOrder {
  readonly platform: PackedPlatform;
  readonly system: PackedSystem;
  readonly targets: readonly string[];
  /** A folder with an Electron for that system; null: electron-builder brings the project's own. */
  readonly electronDist: string | null;
  /** What differs from electron-builder.yml. */
  readonly changes?: Configuration;
}

type Packed =
  | { readonly kind: 'packed'; readonly files: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string };

const platforms: Readonly<Record<PackedPlatform, Platform>> = {
  linux: Platform.LINUX,
  windows: Platform.WINDOWS,
  mac: Platform.MAC,
};

/** Makes packages as electron-builder.yml describes them, from a build that stands in dist/. */
export async function pack({ platform, system, targets, electronDist, changes = {} }: PackingOrder): Promise<Packed> {
  const node = await makeShippedNode(system);
  if (!node.made) return { kind: 'failed', reason: node.reason };
  const arch = system.endsWith('arm64') ? Arch.arm64 : Arch.x64;
  try {
    const electron: Configuration = electronDist === null ? {} : await electronToPack(electronDist);
    const files = await build({
      projectDir: root,
      publish: 'never',
      targets: platforms[platform].createTarget([...targets], arch),
      config: {
        extends: join(root, 'electron-builder.yml'),
        ...electron,
        ...changes,
        extraMetadata: { ...electron.extraMetadata, ...changes.extraMetadata },
      },
    });
    return { kind: 'packed', files };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
