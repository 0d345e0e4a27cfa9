import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFlags } from '../../app/commands/flags.ts';
import { layerFaults } from '../../app/config/layers.ts';
import { loadSettings } from '../../app/config/load-settings.ts';
import { version } from '../../app/machine/version.ts';
import { CommandProcess, newDataDir } from '../support/agent-process.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (...args: readonly string[]) => new CommandProcess(['tillbridge', ...args]).ended;
const load = (more: { environment?: Record<string, string>; managedFile?: string }) =>
  loadSettings({ dataDir, flags: {}, environment: {}, managedFile: null, ...more });

describe('a name that is no setting', () => {
  it('is told the nearest one in a file', () => {
    expect(layerFaults({ bridge: { prot: 1 } })).toEqual([
      'bridge.prot: is not a known field; did you mean bridge.port?',
    ]);
    expect(layerFaults({ devicename: 'Till' })).toEqual([
      'devicename: is not a known field; did you mean device_name?',
    ]);
    expect(layerFaults({ colour: 'red' })).toEqual(['colour: is not a known field']);
  });

  it('is told how a file has it where it stands as the documents write it', () => {
    const [line] = layerFaults({ 'bridge.port': 7425 });
    expect(line).toBe('bridge.port: is not a known field; in a file it is {"bridge":{"port":VALUE}}');
  });

  it('is told the nearest variable, and the start goes on', () => {
    expect(load({ environment: { TILLBRIDGE_MOED: 'production' } })).toMatchObject({
      kind: 'loaded',
      warnings: ['TILLBRIDGE_MOED: is not a known setting, and is ignored; did you mean TILLBRIDGE_MODE?'],
    });
  });

  it('is told the nearest one by the command', async () => {
    expect(await run('settings', 'set', 'brigde.port', '1', '--data-dir', dataDir)).toMatchObject({
      exitCode: 2,
      stderr: 'brigde.port: is not a known setting; did you mean bridge.port?\n',
    });
  });
});

it('a folder that is named as the settings file is told as one, and nobody is told to delete it', () => {
  const folder = join(dataDir, 'settings');
  mkdirSync(folder);
  writeFileSync(join(folder, 'own.txt'), 'kept');
  expect(load({ managedFile: folder })).toEqual({
    kind: 'refused',
    problems: [`${folder}: is a folder; a settings file belongs there`],
  });
});

it.each(['status', 'doctor', 'stop'])(
  'a file that is named as the data folder is told as one by %s',
  async (command) => {
    const file = join(dataDir, 'till.txt');
    writeFileSync(file, 'kept');
    expect(await run(command, '--data-dir', file)).toMatchObject({
      exitCode: 3,
      stderr: `${file} cannot be used: it is not a folder. Name a folder with --data-dir.\n`,
    });
  },
);

it('the value of an unknown flag is no mistake of its own, and what a command needs is still found', () => {
  const specs = [{ name: 'port', value: 'PORT', help: '' }];
  const wrong = (argv: readonly string[], words: readonly string[] = []) => parseFlags(argv, specs, words);
  expect(wrong(['--prot', '1'])).toMatchObject({ problems: ['--prot: is not a known flag; did you mean --port?'] });
  expect(wrong(['--prot=1', '2'])).toMatchObject({ problems: [expect.any(String), '2: is not expected here'] });
  expect(wrong(['--prot', '1', '2'])).toMatchObject({ problems: [expect.any(String), '2: is not expected here'] });
  expect(wrong(['--quick', 'R-1'], ['REF'])).toMatchObject({ problems: [expect.stringContaining('--quick')] });
});

it('the audit of a folder that is not there is out of reach, not empty', async () => {
  const nowhere = join(dataDir, 'nowhere');
  expect(await run('audit', '--data-dir', nowhere)).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: `${nowhere} does not exist. Start the agent, which makes it, or name another --data-dir.\n`,
  });
});

it('--version alone prints the version', async () => {
  expect(await run('--version')).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
});
