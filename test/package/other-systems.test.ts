import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import type { Configuration } from 'electron-builder';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';
import { pack } from '../../tools/dist/pack.ts';
import { makeShippedNode } from '../../tools/dist/shipped-node.ts';
import { macIcon, stubElectron } from '../support/stub-electron.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Order = Pick<Parameters<typeof pack>[0], 'platform' | 'system' | 'hasNode'>;

async function packed(order: Order, changesFor: (stub: string) => Configuration): Promise<string> {
  if (order.platform === 'windows') await makeShippedNode('win32-x64');
  const electronDist = stubElectron(order.platform === 'mac' ? 'darwin' : 'win32');
  const output = join(root, 'node_modules', '.cache', 'test-packages', order.system);
  folders.push(electronDist, output);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const outcome = await pack({
    ...order,
    targets: ['dir'],
    electronDist,
    changes: { directories: { output, buildResources: 'packaging' }, ...changesFor(electronDist) },
  });
  if (outcome.kind === 'failed') throw new Error(outcome.reason);
  return output;
}

/** Nothing of the sources, and the native code of one system alone, in the window's archive and beside the agent. */
function expectParts(resources: string, system: string): void {
  const files = listPackage(join(resources, 'app.asar'), { isPack: false }).map((file) => file.replaceAll('\\', '/'));
  expect(new Set(files.map((file) => file.split('/')[1]))).toEqual(new Set(['dist', 'node_modules', 'package.json']));
  const native = `node_modules/better-sqlite3/prebuilds/${system}.node`;
  expect(files.filter((file) => file.endsWith('.node'))).toEqual([`/${native}`]);
  expect(existsSync(join(resources, 'app.asar.unpacked', native))).toBe(true);
  expect(files.filter((file) => /\.(?:ts|tsx|map)$|\/deps\/|\/src\//.test(file))).toEqual([]);
  expect(files).toContain('/dist/main/index.cjs');
  expect(globSync('**/*.node', { cwd: join(resources, 'agent') }).map((path) => path.replaceAll('\\', '/'))).toEqual([
    native,
  ]);
  const manifest = JSON.parse(readFileSync(join(resources, 'agent', 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ installed: true });
  for (const name of [
    'NOTICE',
    'sbom.cdx.json',
    'docs/store-it.md',
    'docs/recovery.md',
    'agent/dist/app/cli.js',
    'agent/dist/renderer/index.html',
  ]) {
    expect([name, existsSync(join(resources, name))]).toEqual([name, true]);
  }
}

/** As docs/packages.md tells: closed to debuggers, its code from its own archive alone. */
async function expectFuses(executable: string): Promise<void> {
  const wire = await getCurrentFuseWire(executable);
  const isOn = (fuse: FuseV1Options) => String.fromCharCode(wire[fuse] ?? 0) === '1';
  expect({
    runAsNode: isOn(FuseV1Options.RunAsNode),
    nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
    cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
    asarIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyFromAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
    fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    runAsNode: false,
    nodeOptions: false,
    inspect: false,
    cookieEncryption: true,
    asarIntegrity: true,
    onlyFromAsar: true,
    fileProtocol: false,
  });
}

// A stub stands for the Electron of a system that is not this one: what is packed around it is the real thing.
describe.skipIf(process.platform !== 'linux')('the app in a folder', () => {
  it('for Windows has its parts, its fuses, two languages, and the agent with its own node.exe', async () => {
    // To write an icon into a program takes a program.
    const changes = () => ({ win: { signAndEditExecutable: false } });
    const app = join(await packed({ platform: 'windows', system: 'win32-x64' }, changes), 'win-unpacked');
    const resources = join(app, 'resources');
    expectParts(resources, 'win32-x64');
    expect(readdirSync(join(app, 'locales')).toSorted()).toEqual(['ar.pak', 'en-US.pak']);
    await expectFuses(join(app, 'tillbridge.exe'));
    const node = join(resources, 'agent', 'node.exe');
    expect(statSync(node).size).toBeGreaterThan(60_000_000);
    expect(readFileSync(node).subarray(0, 2).toString()).toBe('MZ');
    expect(readFileSync(join(resources, 'agent', 'tillbridge-agent.cmd'), 'utf8')).toContain(
      String.raw`"%~dp0node.exe" "%~dp0dist\app\cli.js" %*`,
    );
  }, 90_000);

  it('for a Mac has its parts, its fuses, two languages and its name', async () => {
    const order = { platform: 'mac', system: 'darwin-arm64', hasNode: false } as const;
    const output = await packed(order, (stub) => ({ mac: { identity: null, icon: macIcon(stub) } }));
    const contents = join(output, 'mac-arm64', 'tillbridge.app', 'Contents');
    expectParts(join(contents, 'Resources'), 'darwin-arm64');
    const languages = readdirSync(join(contents, 'Resources')).filter((name) => name.endsWith('.lproj'));
    expect(languages.toSorted()).toEqual(['ar.lproj', 'en.lproj']);
    await expectFuses(join(output, 'mac-arm64', 'tillbridge.app'));
    const plist = readFileSync(join(contents, 'Info.plist'), 'utf8');
    expect(plist).toContain('<string>org.tillbridge.till</string>');
    expect(plist).toContain('ElectronAsarIntegrity');
    expect(readFileSync(join(contents, 'Resources', 'agent', 'tillbridge-agent'), 'utf8')).toContain(
      'exec "$here/node"',
    );
  }, 90_000);
});
