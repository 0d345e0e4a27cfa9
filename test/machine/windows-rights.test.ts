import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployedStanding } from '../../app/config/deployed-file.ts';
import { closeToOthers, standingOfFolder } from '../../app/machine/closed-folder.ts';
import { outputOf } from '../../app/machine/system-programs.ts';
import { windowsAccess, windowsWriters } from '../../app/machine/windows-access.ts';
import { serviceSid, standingIn } from '../../app/machine/windows-rights.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { FakeWindows } from '../support/fake-windows.ts';

const mona = 'S-1-5-21-1-2-3-1001';
const otto = 'S-1-5-21-1-2-3-1002';
const authenticatedUsers = 'S-1-5-11';
const users = 'S-1-5-32-545';

describe('an access list of Windows', () => {
  const may = (list: string, owner = mona) => standingIn(`O:${owner}G:DUD:${list}`, [mona])?.othersMay;

  it('lets nobody else in where only the till, administrators and Windows itself stand in it', () => {
    const closed = `PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${mona})(A;OICIIO;GA;;;CO)`;
    expect(may(closed)).toBe('nothing');
    expect(may('P(A;;FA;;;LA)(A;;FA;;;S-1-5-21-9-9-9-500)(A;;FA;;;DA)')).toBe('nothing');
    expect(may('P')).toBe('nothing');
  });

  it('is as Windows makes it on a second disk: every user may change it, by the folder above', () => {
    const standing = standingIn(
      'O:BAG:DUD:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)',
      [mona],
    );
    expect(standing).toMatchObject({ othersMay: 'write', others: [authenticatedUsers, users], listed: [] });
  });

  it.each([
    ['(A;;0x1200a9;;;BU)', 'read'],
    ['(A;;FR;;;WD)', 'read'],
    ['(A;;GR;;;AU)', 'read'],
    ['(A;;0x80000000;;;AU)', 'read'],
    ['(A;;0x40000000;;;AU)', 'write'],
    ['(A;;0x10000000;;;AU)', 'write'],
    ['(A;;CCDCLCSWRPRC;;;BU)', 'write'],
    ['(A;;SD;;;BU)', 'write'],
    ['(A;;WD;;;BU)', 'write'],
    ['(A;;0x1301bf;;;S-1-5-21-1-2-3-1002)', 'write'],
    ['(A;;RC;;;WD)', 'nothing'],
    ['(D;;FA;;;WD)', 'nothing'],
    ['(D;;FA;;;WD)(A;;FR;;;WD)', 'read'],
    ['(A;OICIIO;FA;;;WD)', 'write'],
    ['(XA;;FR;;;WD;(@User.clearance >= 3))', 'read'],
    ['(A;;FA;;;BA)S:AI(AU;SAFA;FA;;;WD)', 'nothing'],
    ['NO_ACCESS_CONTROL', 'write'],
  ])('%s lets others do: %s', (list, expected) => {
    expect(may(list)).toBe(expected);
  });

  it('without a list lets everybody do everything', () => {
    expect(standingIn(`O:${mona}G:DU`, [mona])?.othersMay).toBe('write');
  });

  it('that is not understood closes nothing', () => {
    for (const text of ['', 'D:(A;;FA;;;BA)', `O:${mona}D:(A;;FA?;;;WD)`, `O:${mona}D:(A;;QQ;;;WD)`, 'nonsense']) {
      expect(standingIn(text, [mona]), text).toBeNull();
    }
  });

  it('tells whose the file is', () => {
    for (const owner of [mona, 'BA', 'SY', 'LA']) expect(standingIn(`O:${owner}D:P`, [mona])?.isOwn).toBe(true);
    for (const owner of [otto, 'BU', 'S-1-5-19']) expect(standingIn(`O:${owner}D:P`, [mona])?.isOwn).toBe(false);
  });

  it('names a service by the number that Windows makes of its name', () => {
    expect(serviceSid('TrustedInstaller')).toBe('S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464');
  });
});

describe.skipIf(process.platform === 'win32')('a data folder on Windows (its programs are played)', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let dataDir: string;
  let windows: FakeWindows;
  beforeEach(() => {
    folder = temporaryFolder();
    dataDir = folder.file('till');
    // As on a second disk.
    windows = new FakeWindows({ BA: 'FA', SY: 'FA', AU: '0x1301bf', BU: '0x1200a9' });
  });
  afterEach(() => folder.remove());

  const access = (environment: Readonly<Record<string, string>> = {}) => windowsAccess(windows.programs(environment));
  const put = (name: string) => writeFileSync(join(dataDir, name), '');
  const open = () => {
    const standing = standingOfFolder(dataDir, access());
    return standing.kind === 'usable' ? standing.open.map(({ path }) => path) : standing;
  };

  it('is made and closed before anything is in it', () => {
    expect(closeToOthers(dataDir, access())).toEqual({ wereOpen: [dataDir], unknown: null });
    expect(existsSync(dataDir)).toBe(true);
    expect(windows.sddl(dataDir)).toBe(`O:${mona}G:DUD:PAI(A;;FA;;;S-1-5-18)(A;;FA;;;S-1-5-32-544)(A;;FA;;;${mona})`);
    put('secrets.json');
    expect(open()).toEqual([]);
    windows.ran.length = 0;
    expect(closeToOthers(dataDir, access()).wereOpen).toEqual([]);
    expect(windows.ran.filter((line) => line.includes('icacls'))).toEqual([]);
  });

  it('is closed with all that is in it, also to those whom it names itself', () => {
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    mkdirSync(join(dataDir, 'updates'));
    for (const name of ['production.sqlite', 'secrets.json', 'logs/agent.log', 'updates/trial']) put(name);
    windows.rights(dataDir).own.set('S-1-1-0', 'FA').set(otto, 'FR');
    windows.rights(join(dataDir, 'production.sqlite')).own.set(otto, 'FA');
    windows.rights(join(dataDir, 'logs')).inherits = false;
    windows.rights(join(dataDir, 'logs')).own.set('S-1-1-0', 'FA');
    expect(closeToOthers(dataDir, access()).wereOpen).toEqual(
      ['', 'logs', 'logs/agent.log', 'production.sqlite', 'secrets.json', 'updates', 'updates/trial'].map((name) =>
        join(dataDir, name),
      ),
    );
    expect(open()).toEqual([]);
  });

  it('is left to Windows in the user’s own profile: no program is started', () => {
    expect(closeToOthers(dataDir, access({ USERPROFILE: folder.path }))).toEqual({ wereOpen: [], unknown: null });
    expect(windows.ran).toEqual([]);
  });

  it('is refused with other things in it, as another user’s, and as a whole disk', () => {
    mkdirSync(dataDir);
    put('holiday.txt');
    expect(() => closeToOthers(dataDir, access())).toThrow(
      /other users \(Authenticated Users, Users\) may change its files, and holiday\.txt.*& "C:\\Windows\\System32\\icacls\.exe" ".*till" \/inheritance:r \/grant:r "\*S-1-5-18:\(OI\)\(CI\)F"/,
    );
    windows.rights(dataDir).owner = otto;
    expect(() => closeToOthers(dataDir, access())).toThrow(/another user owns it/);
    expect(windows.ran.filter((line) => line.includes('icacls'))).toEqual([]);
    expect(() => closeToOthers('/', access())).toThrow(/a whole disk.*--data-dir/);
  });

  it('is refused where another user has put a file into it', () => {
    closeToOthers(dataDir, access());
    put('settings.json');
    windows.rights(join(dataDir, 'settings.json')).owner = otto;
    expect(() => closeToOthers(dataDir, access())).toThrow(/settings\.json belongs to another user.*delete it/);
  });

  it('is refused where it cannot be closed, with the command that closes it', () => {
    mkdirSync(dataDir);
    windows.mayChange = false;
    expect(() => closeToOthers(dataDir, access())).toThrow(
      new RegExp(`till cannot be used: .*icacls.*could not change its rights.*"\\*${mona}:\\(OI\\)\\(CI\\)F"`),
    );
  });

  it('is used, and told, where Windows does not say who may use it', () => {
    mkdirSync(dataDir);
    windows.hasPowerShell = false;
    const { unknown } = closeToOthers(dataDir, access());
    expect(unknown).toMatch(/till may be open to other users.*does not say who may use.*icacls/);
  });

  it('stays its user’s when an administrator looks after it', () => {
    closeToOthers(dataDir, access());
    put('settings.json');
    windows.rights(join(dataDir, 'settings.json')).owner = mona;
    windows.user = 'S-1-5-21-1-2-3-1003';
    expect(standingOfFolder(dataDir, access())).toMatchObject({ kind: 'unfit' });
    windows.label = 'S-1-16-12288';
    expect(open()).toEqual([]);
  });

  it('of the service is the service’s by its name', () => {
    const shared = folder.file('shared');
    // Of the same path on this system as the service’s on Windows.
    const programs = windows.programs({ ProgramData: shared });
    windows.user = 'S-1-5-19';
    windows.label = 'S-1-16-16384';
    const data = `${shared}\\Tillbridge\\data`;
    mkdirSync(data);
    windows.rights(data).owner = 'S-1-5-32-544';
    closeToOthers(data, windowsAccess(programs));
    expect(windows.sddl(data)).toContain(
      `PAI(A;;FA;;;S-1-5-18)(A;;FA;;;S-1-5-32-544)(A;;FA;;;${serviceSid('tillbridge')})`,
    );
    expect(windows.sddl(data)).not.toContain('S-1-5-19');
  });

  it('is asked of Windows’ own programs, by their whole paths, with no secret in their environment', () => {
    const programs = windows.programs({ TILLBRIDGE_API_KEY: 'loyalty_pk_live_1', PSModulePath: 'C:\\other' });
    let given: Readonly<Record<string, string | undefined>> = {};
    const run: typeof outputOf = (program, args, options) => {
      if (program.includes('powershell')) given = options.environment;
      return programs.run(program, args, options);
    };
    closeToOthers(dataDir, windowsAccess({ ...programs, run }));
    expect(new Set(windows.ran.map((line) => line.split('.exe')[0]))).toEqual(
      new Set(
        ['whoami', 'icacls', 'WindowsPowerShell\\v1.0\\powershell'].map((name) => `C:\\Windows\\System32\\${name}`),
      ),
    );
    expect(given).toEqual({ SystemRoot: 'C:\\Windows', TILLBRIDGE_LOOK_AT: dataDir });
  });

  it('hands a program its input, and takes its output only when it has ended well', () => {
    mkdirSync(dataDir);
    const program = join(dataDir, 'System32\\whoami.exe');
    writeFileSync(program, '#!/bin/sh\necho "$1 $NAME $(cat)"\nexit "$2"\n');
    chmodSync(program, 0o700);
    const run = (code: string) => outputOf(program, ['a b', code], { input: 'till', environment: { NAME: 'x' } });
    expect(run('0')).toBe('a b x till\n');
    expect(run('1')).toBeNull();
    expect(outputOf(join(dataDir, 'missing'), [], { environment: {} })).toBeNull();
  });

  it('has a deployed settings file that is not used where others than administrators may change it', () => {
    const file = `${dataDir}/settings.json`;
    const standing = () => deployedStanding(file, (path) => windowsWriters(path, windows.programs({})), new Map());
    const fault = () => {
      const told = standing();
      return told.kind === 'not_used' ? told.line : told.kind;
    };
    mkdirSync(dataDir);
    put('settings.json');
    const folderRights = windows.rights(dataDir);
    const fileRights = windows.rights(file);
    // As `C:\ProgramData` hands it down to what an administrator makes there: users may add files, and read.
    Object.assign(folderRights, {
      owner: 'BA',
      inherits: false,
      own: new Map([
        ['BA', 'FA'],
        ['BU', '0x1200af'],
      ]),
    });
    Object.assign(fileRights, {
      owner: 'BA',
      inherits: false,
      own: new Map([
        ['BA', 'FA'],
        ['BU', '0x1200a9'],
      ]),
    });
    expect(fault()).toBe('used');
    fileRights.own.set('BU', '0x1301bf');
    expect(fault()).toBe('is not used: Users may write it. Let only administrators write the file and its folder');
    fileRights.own.delete('BU');
    fileRights.owner = mona;
    expect(fault()).toMatch(/^is not used: its owner is no administrator\./);
    fileRights.owner = 'BA';
    folderRights.own.set('BU', '0x1301ff');
    expect(fault()).toMatch(/Users may replace it/);
    folderRights.own.delete('BU');
    folderRights.owner = otto;
    expect(fault()).toMatch(/the owner of its folder is no administrator/);
    windows.hasPowerShell = false;
    expect(standing()).toEqual({
      kind: 'unchecked',
      line: 'is used, but could not be checked: Windows does not say who may change it',
    });
  });
});
