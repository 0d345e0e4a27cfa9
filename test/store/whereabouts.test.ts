import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MachineReads, machineIdentity } from '../../app/machine/machine-identity.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { openStore } from '../../app/store/store.ts';
import type { Elsewhere } from '../../app/store/tables/identity.ts';
import { newRow, rowTimeMs, temporaryFolder } from '../support/core-rows.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const random = seededRandom(3);

async function openOn(machine: string | null) {
  const told: Elsewhere[] = [];
  const store = openStore(folder.file('till.sqlite'), {
    random,
    nowMs: rowTimeMs,
    machine,
    onElsewhere: (what) => told.push(what),
  });
  const states = store.operations.counts.read();
  return { epoch: store.identity.epoch, told, states, store };
}

describe('a disk that stands in another machine, with every file in its place', () => {
  it('begins a new epoch once, and tells it', async () => {
    const first = await openOn('one');
    first.store.close();
    const copied = await openOn('two');
    expect(copied.epoch).not.toBe(first.epoch);
    expect(copied.told).toEqual(['machine']);
    copied.store.close();
    const again = await openOn('two');
    expect(again.epoch).toBe(copied.epoch);
    expect(again.told).toEqual([]);
    again.store.close();
  });

  it('asks about what waits before it is undone, and leaves what was refused to a person', async () => {
    const first = await openOn('one');
    for (let count = 0; count < 3; count += 1) {
      const rowId = first.store.operations.takeRowId();
      await first.store.writer.urgent(() => first.store.operations.insert(newRow(rowId)));
    }
    first.store.close();
    const database = new BetterSqlite3(folder.file('till.sqlite'));
    database.exec("UPDATE operations SET state = 'refused' WHERE row_id = 3");
    database.close();
    const copied = await openOn('two');
    expect(copied.states).toMatchObject({ queued: 0, unknown: 2, refused: 1 });
    copied.store.close();
  });

  it('is no other machine while the system does not say which it is, or an earlier version has not noted it', async () => {
    const first = await openOn(null);
    first.store.close();
    for (const machine of ['one', null, 'one']) {
      const next = await openOn(machine);
      expect(next).toMatchObject({ epoch: first.epoch, told: [] });
      next.store.close();
    }
  });
});

const guid = '1b6a9e52-7f3c-4b6e-9a0d-3f2f6d0c8e11';
const board = '{4C4C4544-0042-3510-8052-B4C04F564E32}';

function windows(values: Readonly<Record<string, string | null>>): MachineReads {
  return {
    platform: 'win32',
    environment: { SystemRoot: 'C:\\Windows' },
    text: () => null,
    cards: () => [],
    output(program, [, , , name = '']) {
      expect(program).toBe('C:\\Windows\\System32\\reg.exe');
      const value = values[name];
      return value == null ? null : `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\r\n    ${name}    REG_SZ    ${value}\r\n\r\n`;
    },
  };
}

describe('the identity of a machine', () => {
  it('on Windows is another one where the disk of one was copied onto other hardware', () => {
    const own = machineIdentity(windows({ MachineGuid: guid, LastConfig: board }));
    expect(own).toMatch(/^[0-9a-f]{32}$/);
    expect(machineIdentity(windows({ MachineGuid: guid, LastConfig: board.toLowerCase() }))).toBe(own);
    expect(machineIdentity(windows({ MachineGuid: guid, LastConfig: board.replace('4C', '5C') }))).not.toBe(own);
    expect(machineIdentity(windows({ MachineGuid: guid.replace('1b', '2b'), LastConfig: board }))).not.toBe(own);
  });

  it('tells nobody an id of the machine, and is the same in every version', () => {
    const own = machineIdentity(windows({ MachineGuid: guid, LastConfig: board }));
    expect(own).not.toContain(guid.slice(0, 8));
    // Databases have it.
    expect(own).toBe('6f664d687465f4d4b560c9dcb7b1ef1c');
  });

  it.each([{}, { MachineGuid: guid }, { LastConfig: board }])(
    'is not known on Windows where not all of it can be read now: %o',
    (values) => {
      expect(machineIdentity(windows(values))).toBeNull();
    },
  );

  it('on macOS is that of the platform', () => {
    const mac = (uuid: string) =>
      machineIdentity({
        ...windows({}),
        platform: 'darwin',
        output: () => `+-o J314sAP  <class IOPlatformExpertDevice>\n    "IOPlatformUUID" = "${uuid}"\n`,
      });
    expect(mac(guid)).not.toBeNull();
    expect(mac(guid)).not.toBe(mac(guid.replace('1b', '2b')));
  });

  it('on Linux is its machine-id and its built-in network cards', () => {
    const linux = (id: string | null, cards: readonly string[]) =>
      machineIdentity({ ...windows({}), platform: 'linux', text: () => id, cards: () => cards });
    const own = linux('aa\n', ['02:00:00:00:00:01']);
    expect(linux('aa', ['02:00:00:00:00:01'])).toBe(own);
    expect(linux('aa', ['02:00:00:00:00:02'])).not.toBe(own);
    expect(linux('bb', ['02:00:00:00:00:01'])).not.toBe(own);
    expect(linux(null, ['02:00:00:00:00:01'])).not.toBe(own);
    expect(own).toBe('a7c3162de4a1c9a5af619e7e5b4c00b1');
    // Before their drivers are loaded there are none.
    expect(linux('aa', [])).toBeNull();
    expect(linux(null, [])).toBeNull();
  });

  it('stays the same on this machine', () => {
    expect(machineIdentity()).toBe(machineIdentity());
  });
});
