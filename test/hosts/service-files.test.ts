import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchd } from '../../app/commands/service/launchd.ts';
import type { ServiceFacts } from '../../app/commands/service/service-manager.ts';
import { type Step, stepInWords } from '../../app/commands/service/steps.ts';
import { stateIn, systemd } from '../../app/commands/service/systemd.ts';
import { windowsService } from '../../app/commands/service/windows-service.ts';
import { servicePlaces } from '../../app/machine/service-places.ts';
import { onPath } from '../../tools/commands.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const linux: ServiceFacts = {
  program: process.execPath,
  entry: '/opt/Tillbridge/resources/agent/dist/app/cli.js',
  places: servicePlaces({}, 'linux'),
  backupFolder: null,
  wrapper: null,
};
const windows: ServiceFacts = {
  program: 'C:\\Program Files\\Tillbridge\\resources\\agent\\node.exe',
  entry: 'C:\\Program Files\\Tillbridge\\resources\\agent\\dist\\app\\cli.js',
  places: servicePlaces({}, 'win32'),
  backupFolder: 'D:\\Backups & more',
  wrapper: 'C:\\Users\\it\\WinSW-x64.exe',
};
const mac: ServiceFacts = {
  program: '/Applications/Tillbridge.app/Contents/Resources/agent/node',
  entry: '/Applications/Tillbridge.app/Contents/Resources/agent/dist/app/cli.js',
  places: servicePlaces({}, 'darwin'),
  backupFolder: null,
  wrapper: null,
};

const hasAnalyze = onPath('systemd-analyze') !== null;
const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
function unitFile(facts = linux): string {
  const file = join(folder, 'tillbridge.service');
  writeFileSync(file, systemd.description(facts));
  return file;
}

describe('the systemd unit', () => {
  it.skipIf(!hasAnalyze)(
    'is understood by systemd, also with a folder of an unusual name (needs systemd-analyze)',
    () => {
      for (const facts of [linux, { ...linux, backupFolder: '/mnt/100% of "tills"/$HOME\\x' }]) {
        expect(analyze('verify', '--man=no', unitFile(facts))).toMatchObject({ status: 0, stderr: '' });
      }
      // That it finds mistakes.
      writeFileSync(unitFile(), systemd.description(linux).replace('Restart=always', 'Restart=sometimes\nNoSuch=1'));
      const found = analyze('verify', '--man=no', join(folder, 'tillbridge.service'));
      expect(found.stderr).toContain('NoSuch');
      expect(found.stderr).toContain('sometimes');
    },
  );

  it.skipIf(!hasAnalyze)('exposes little of the machine by systemd’s own measure (needs systemd-analyze)', () => {
    const measured = analyze('security', '--offline=true', '--no-pager', '--threshold=20', unitFile());
    expect(measured.stdout).toMatch(/Overall exposure level for tillbridge\.service: 1\.\d OK/);
    expect(measured.status).toBe(0);
  });

  it('keeps the agent running, but for what only a person can change', () => {
    const text = systemd.description(linux);
    for (const line of ['Restart=always', 'RestartPreventExitStatus=2 3', 'StartLimitIntervalSec=0']) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(
      /^ExecStart=\S+ \S+cli\.js agent --service --data-dir \/var\/lib\/tillbridge --attach-folder \/run\/tillbridge$/m,
    );
    expect(text).not.toContain('ReadWritePaths');
  });

  it('starts though the share for backups is away', () => {
    const pathsFor = (backupFolder: string) =>
      /^ReadWritePaths=(.*)$/m.exec(systemd.description({ ...linux, backupFolder }))?.[1];
    expect(pathsFor('/mnt/backup')).toBe('-/mnt/backup');
    expect(pathsFor('/mnt/my backups')).toBe('"-/mnt/my backups"');
  });

  it('is not installed where a service could not read the program', () => {
    const refused = systemd.whyNot({ ...linux, program: '/home/mona/tillbridge/node' });
    expect(refused).toMatch(/No systemd runs|use sudo|cannot read \/home\/mona/);
  });

  it('is told apart as running, starting and stopped', () => {
    const shown = (active: string) =>
      `UnitFileState=enabled\nActiveState=${active}\nActiveEnterTimestamp=@1795365600\n`;
    expect(stateIn(shown('active'))).toEqual({ isRunning: true, isEnabled: true, runningSinceMs: 1_795_365_600_000 });
    expect(stateIn(shown('activating'))).toMatchObject({ isRunning: false, runningSinceMs: null });
    expect(stateIn('UnitFileState=\nActiveState=inactive\nActiveEnterTimestamp=\n')).toMatchObject({
      isEnabled: false,
    });
  });
});

/** The elements of an XML text with their words, in order; each has to be closed where it belongs. */
function elementsOf(xml: string): readonly (readonly [path: string, words: string])[] {
  const open: string[] = [];
  const found: [string, string][] = [];
  const body = xml.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/^<!DOCTYPE[^>]*>\s*/, '');
  for (const [, closes, name = '', , ends, words = ''] of body.matchAll(
    /<(\/?)([\w-]+)((?:\s[\w-]+="[^"<]*")*)\s*(\/?)>([^<]*)/g,
  )) {
    if (closes === '/') expect(open.pop()).toBe(name);
    else {
      found.push([[...open, name].join('/'), words.trim()]);
      if (ends !== '/') open.push(name);
    }
  }
  expect(open).toEqual([]);
  expect(body.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  return found;
}

/** What WinSW 2 documents for its file (its own page xml-config-file.md). */
const winswElements = new Set(
  'id name description executable argument startmode serviceaccount serviceaccount/username onfailure resetfailure stoptimeout logpath log'
    .split(' ')
    .map((name) => `service/${name}`),
);

describe('the description for WinSW', () => {
  it('has elements that WinSW knows, each once but for those that may come again', () => {
    const elements = elementsOf(windowsService.description(windows));
    const names = elements.map(([path]) => path);
    expect(names[0]).toBe('service');
    expect(names.slice(1).filter((name) => !winswElements.has(name))).toEqual([]);
    const once = names.filter((name) => name !== 'service/argument' && name !== 'service/onfailure');
    expect(new Set(once).size).toBe(once.length);
    expect(elements).toContainEqual(['service/executable', windows.program]);
    expect(elements.filter(([path]) => path === 'service/argument').map(([, words]) => words)).toEqual([
      windows.entry,
      'agent',
      '--service',
      '--data-dir',
      'C:\\ProgramData\\Tillbridge\\data',
      '--attach-folder',
      'C:\\ProgramData\\Tillbridge\\attach',
    ]);
    expect(windowsService.description({ ...windows, program: 'C:\\A & B\\node.exe' })).toContain('C:\\A &amp; B\\');
  });

  it('comes with rights for the service alone, which are set when the service is known and before it runs', () => {
    const words = windowsService.install(windows).map(stepInWords);
    const at = (part: string) => words.findIndex((step) => step.includes(part));
    expect(at('sidtype tillbridge')).toBeGreaterThan(at('tillbridge-service.exe" install'));
    expect(at('icacls.exe C:\\ProgramData\\Tillbridge\\data /inher')).toBeGreaterThan(at('sidtype'));
    expect(at('tillbridge-service.exe" start')).toBe(words.length - 1);
    const rights = (path: string) => words[at(`icacls.exe ${path} /inheritance:r`)] ?? '';
    for (const path of ['data', 'attach']) {
      expect(rights(`C:\\ProgramData\\Tillbridge\\${path}`)).toContain('NT SERVICE\\tillbridge:(OI)(CI)F');
    }
    expect(rights('C:\\ProgramData\\Tillbridge\\data')).not.toContain('Tillbridge:(');
    expect(rights('C:\\ProgramData\\Tillbridge\\attach')).toContain('Tillbridge:(OI)(CI)RX');
    // Any user may have made the folder before, with settings of their own in it.
    expect(rights('C:\\ProgramData\\Tillbridge')).toContain('*S-1-5-32-545:(OI)(CI)RX');
    for (const path of ['', '\\data', '\\attach']) {
      expect(rights(`C:\\ProgramData\\Tillbridge${path}`)).toContain('/grant:r *S-1-5-18:(OI)(CI)F');
      expect(words).toContain(
        `C:\\Windows\\System32\\icacls.exe C:\\ProgramData\\Tillbridge${path} /setowner *S-1-5-32-544`,
      );
    }
  });
});

describe('a Windows service that is installed already', () => {
  const wrapper = 'C:\\Program Files\\Tillbridge Service\\tillbridge-service.exe';
  const commandOf = (step: Step) => (step.kind === 'run' && step.command[0] === wrapper ? step.command[1] : step.kind);

  it('has ended and is taken off before its program is written over, and installed again', () => {
    const steps = windowsService.install(windows);
    const order = steps.map(commandOf).filter((what) => what !== 'run' && what !== 'folder');
    expect(order).toEqual(['stopwait', 'uninstall', 'copy', 'write', 'install', 'start']);
    // At the first installation there is no such program yet.
    const before = steps.filter((step) => ['stopwait', 'uninstall'].includes(commandOf(step) ?? ''));
    expect(before).toMatchObject([{ mayFail: true }, { mayFail: true }]);
  });

  it('has ended before its program is deleted', () => {
    expect(windowsService.remove(windows).map(commandOf)).toEqual(['stopwait', 'uninstall', 'delete', 'delete']);
  });
});

describe('the description for launchd', () => {
  it('runs the agent as a user of its own, at boot and whenever it ends', () => {
    const elements = elementsOf(launchd.description(mac));
    const dict = elements.filter(([path]) => path.startsWith('plist/dict/'));
    const entryOf = (key: string) =>
      dict[dict.findIndex(([path, words]) => path === 'plist/dict/key' && words === key) + 1];
    expect(entryOf('Label')).toEqual(['plist/dict/string', 'org.tillbridge.agent']);
    expect(entryOf('UserName')).toEqual(['plist/dict/string', '_tillbridge']);
    for (const key of ['KeepAlive', 'RunAtLoad']) expect(entryOf(key)).toEqual(['plist/dict/true', '']);
    const command = dict.filter(([path]) => path === 'plist/dict/array/string').map(([, words]) => words);
    expect(command.slice(0, 4)).toEqual([mac.program, mac.entry, 'agent', '--service']);
  });
});

it('a service is removed with everything that its installation wrote, and keeps its data', () => {
  for (const [manager, facts] of [
    [systemd, linux],
    [windowsService, windows],
    [launchd, mac],
  ] as const) {
    const removed = manager.remove(facts);
    const deleted = removed.flatMap((step: Step) => (step.kind === 'delete' ? [step.path] : []));
    expect(deleted).toContain(facts.places.description);
    expect(removed.map(stepInWords).join('\n')).not.toContain(facts.places.dataDir);
  }
});
