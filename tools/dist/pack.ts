import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, build, type Configuration, Platform } from 'electron-builder';
import { z } from 'zod';
import { errorText } from '../../shared/lib/error-code.ts';
import { root } from '../bundles.ts';
import { electronToPack } from './electron-to-pack.ts';
import { shippedUpdateKeys } from './shipped-facts.ts';
import { makeShippedNode, type PackedSystem } from './shipped-node.ts';
import type { PackedPlatform } from './targets.ts';

interface PackingOrder {
  readonly platform: PackedPlatform;
  readonly system: PackedSystem;
  readonly targets: readonly string[];
  /** A folder with an Electron for that system; null: electron-builder brings the project's own. */
  readonly electronDist: string | null;
  /** Public keys for updates; those of packaging/update-keys.json when absent. */
  readonly updateKeys?: readonly string[];
  /** False: without the agent's Node, which can be had on its own system alone. Never for a package that is shipped. */
  readonly hasNode?: boolean;
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
export async function pack({
  platform,
  system,
  targets,
  electronDist,
  updateKeys = shippedUpdateKeys(),
  hasNode = true,
  changes = {},
}: PackingOrder): Promise<Packed> {
  const node = hasNode ? await makeShippedNode(system) : null;
  if (node?.made === false) return { kind: 'failed', reason: node.reason };
  const arch = system.endsWith('arm64') ? Arch.arm64 : Arch.x64;
  try {
    writeAgentManifest({ ...ownManifest(), ...changes.extraMetadata }, updateKeys);
    const electron: Configuration = electronDist === null ? {} : await electronToPack(electronDist);
    const files = await build({
      projectDir: root,
      publish: 'never',
      targets: platforms[platform].createTarget([...targets], arch),
      config: {
        extends: join(root, 'electron-builder.yml'),
        ...electron,
        ...changes,
        extraMetadata: { ...electron.extraMetadata, ...changes.extraMetadata, updateKeys },
      },
    });
    return { kind: 'packed', files };
  } catch (error) {
    return { kind: 'failed', reason: errorText(error) };
  }
}

function ownManifest(): { readonly version: string } {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
}

/** The agent without a window says of itself what the window's archive says. */
function writeAgentManifest({ version }: { readonly version: unknown }, updateKeys: readonly string[]): void {
  const manifest = readFileSync(join(root, 'packaging', 'agent', 'package.json'), 'utf8');
  const folder = join(root, 'node_modules', '.cache', 'agent-manifest');
  mkdirSync(folder, { recursive: true });
  const whole = { ...z.record(z.string(), z.unknown()).parse(JSON.parse(manifest)), version, updateKeys };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
}
