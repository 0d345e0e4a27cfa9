import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it, vi } from 'vitest';
import { tillbridgeCommand } from '../../app/commands/tillbridge.ts';
import { commandOf, nodeOf, typed } from '../../app/machine/installed.ts';
import { root } from '../../tools/bundles.ts';

const sources = ['app', 'main', 'renderer', 'shared'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path).replaceAll('\\', '/')),
);

/** All texts of a module, comments left out. */
function textsOf(path: string): readonly string[] {
  const texts: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: unknown; value?: unknown };
    if (type === 'Literal' && typeof value === 'string') texts.push(value);
    if (type === 'TemplateElement') texts.push(String((value as { raw: unknown }).raw));
    for (const part of Object.values(node)) {
      if (Array.isArray(part)) part.forEach(walk);
      else walk(part);
    }
  };
  walk(parseSync(path, readFileSync(join(root, path), 'utf8')).program);
  return texts;
}

async function commandsOfPackage(): Promise<readonly string[]> {
  let said = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  try {
    await tillbridgeCommand(['--help']);
  } finally {
    write.mockRestore();
  }
  const listed = [...said.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]*)?)(?= )/gm)].map(([, name = '']) => name);
  return [...listed, 'agent', 'sandbox', 'window'];
}

const isKnown = (command: string, known: readonly string[]) =>
  known.some((name) => command === name || command.startsWith(`${name} `));

describe('what a user of a package reads', () => {
  it('names no command of npm: only typed() and the checkout’s own `start` know it', () => {
    const own = ['app/machine/installed.ts', 'app/commands/start.ts'];
    const wrong = sources
      .filter((path) => !own.includes(path))
      .flatMap((path) =>
        textsOf(path)
          .filter((text) => /\bnpm (?:run|start)\b/.test(text))
          .map((text) => [path, text]),
      );
    expect(wrong).toEqual([]);
  });

  it('names commands that the package has, in every message', async () => {
    const known = await commandsOfPackage();
    expect(known).toContain('queue list');
    const named = sources.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\btyped\(\s*['`]([a-z][a-z -]*[a-z])/g)].map(
        ([, command = '']) => ({ path, command }),
      ),
    );
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter(({ command }) => !isKnown(command, known))).toEqual([]);
  });

  it('names commands that the package has, in the documents', async () => {
    const known = await commandsOfPackage();
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const named = pages.flatMap((page) =>
      [
        ...readFileSync(join(root, 'docs', page), 'utf8').matchAll(
          /\btillbridge-agent ([a-z][a-z-]*(?: [a-z][a-z-]+)?)/g,
        ),
      ].map(([, command = '']) => ({ page, command })),
    );
    expect(named.length).toBeGreaterThanOrEqual(3);
    expect(named.filter(({ command }) => !isKnown(command, known))).toEqual([]);
  });
});

describe('a command of a package', () => {
  const environment = {};
  it.each([
    ['linux', '/opt/Tillbridge/resources/agent', 'tillbridge-agent'],
    [
      'win32',
      'C:\\Program Files\\Tillbridge\\resources\\agent',
      '& "C:\\Program Files\\Tillbridge\\resources\\agent\\tillbridge-agent.cmd"',
    ],
    ['win32', 'C:\\Tillbridge\\resources\\app.asar', 'C:\\Tillbridge\\resources\\agent\\tillbridge-agent.cmd'],
    [
      'darwin',
      '/Applications/Tillbridge.app/Contents/Resources/app.asar',
      '/Applications/Tillbridge.app/Contents/Resources/agent/tillbridge-agent',
    ],
  ] as const)('on %s, installed in %s, begins with %s', (platform, folder, begin) => {
    expect(typed('status', commandOf({ platform, folder, environment }))).toBe(`${begin} status`);
  });

  it('has its whole path in an AppImage, which puts nothing on the PATH', () => {
    const folder = '/tmp/.mount_x/resources/agent';
    const command = commandOf({ platform: 'linux', folder, environment: { APPIMAGE: '/home/till/T.AppImage' } });
    expect(command).toBe('/tmp/.mount_x/resources/agent/tillbridge-agent');
  });
});

describe('what a package runs beside itself', () => {
  it('runs on the Node that comes with it, also beside a window, whose own program would open a second one', () => {
    expect(nodeOf({ platform: 'linux', folder: '/opt/Tillbridge/resources/app.asar' })).toEqual({
      executable: '/opt/Tillbridge/resources/agent/node',
      folder: '/opt/Tillbridge/resources/agent',
    });
    expect(nodeOf({ platform: 'win32', folder: 'C:\\Tillbridge\\resources\\agent' })).toEqual({
      executable: 'C:\\Tillbridge\\resources\\agent\\node.exe',
      folder: 'C:\\Tillbridge\\resources\\agent',
    });
  });
});
