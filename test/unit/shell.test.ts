import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RestartRule } from '../../app/commands/restart-rule.ts';
import { findSecretInDump } from '../../app/doctor/bundle.ts';
import { boundCrashDumps, crashDir, crashDumps } from '../../app/machine/crash-dumps.ts';
import { makePrivateFolder } from '../../app/machine/files.ts';
import { autostartEntry, autostartPath } from '../../main/autostart.ts';
import { customerAddress, isCustomerPage, isOfCustomerHost } from '../../main/customer/address.ts';
import { customerPlace, type DisplayFacts } from '../../main/customer/place.ts';
import { Strays } from '../../main/customer/strays.ts';
import { judgeLeaving } from '../../main/judge-leaving.ts';
import { leavesKiosk } from '../../main/kiosk-keys.ts';
import { PageBrake } from '../../main/page-brake.ts';
import { stoppedPage } from '../../main/stopped-page.ts';
import { readBounds } from '../../main/window-bounds.ts';
import { stateLine } from '../../main/words.ts';
import { tillStateOf } from '../support/ui-fake-agent.ts';

const noOperations = tillStateOf().operations;

describe('a page that dies', () => {
  it('is loaded again twice within a minute; then a plain page stands there until somebody asks', () => {
    const brake = new PageBrake();
    expect([brake.died(0), brake.died(30_000), brake.isStopped]).toEqual(['load_again', 'load_again', false]);
    expect([brake.died(59_999), brake.isStopped]).toEqual(['show_plain_page', true]);
    expect(brake.died(61_000)).toBe('tell_by_dialog');
    brake.release();
    expect([brake.isStopped, brake.died(62_000)]).toEqual([false, 'load_again']);
  });

  it('is loaded again for ever when it dies seldom', () => {
    const brake = new PageBrake();
    for (let death = 0; death < 20; death += 1) expect(brake.died(death * 30_001)).toBe('load_again');
  });

  it('is replaced by words and one link, in both languages', () => {
    for (const locale of ['en', 'ar'] as const) {
      const page = stoppedPage(locale);
      expect(page).toContain(`lang="${locale}"`);
      expect(page).not.toMatch(/<script|style=|on\w+=/);
      expect(page.match(/<a href="\/">/g)).toHaveLength(1);
    }
  });
});

describe('who quits', () => {
  const person = { goesOn: false };
  const waiting = tillStateOf({ operations: { ...noOperations, queued: 2, unknown: 1 } });

  it('is asked while sales wait, and told how many', () => {
    expect(judgeLeaving(waiting, person)).toMatchObject({
      kind: 'ask',
      detail: expect.stringMatching(/^Waiting to send: 3\n/),
      buttons: ['Stay', 'Quit'],
    });
    expect(judgeLeaving({ ...waiting, locale: 'ar' }, person)).toMatchObject({
      kind: 'ask',
      detail: expect.stringContaining('٣'),
    });
  });

  it('is not asked without any, beside a service that goes on, or before the agent was heard', () => {
    expect(judgeLeaving(tillStateOf(), person)).toEqual({ kind: 'go' });
    expect(judgeLeaving(waiting, { goesOn: true })).toEqual({ kind: 'go' });
    expect(judgeLeaving(null, person)).toEqual({ kind: 'go' });
  });

  it('does not leave a kiosk, with or without a service', () => {
    const kiosk = { ...waiting, desktop: { kiosk: true, starts_at_login: false } };
    expect(judgeLeaving(kiosk, person)).toEqual({ kind: 'stay' });
    expect(judgeLeaving(kiosk, { goesOn: true })).toEqual({ kind: 'stay' });
  });
});

it('at a kiosk, takes the keys that leave the screen, and no others', () => {
  const press = (key: string, held: Partial<Record<'alt' | 'control' | 'meta', boolean>> = {}) =>
    leavesKiosk({ type: 'keyDown', key, alt: false, control: false, meta: false, ...held });
  for (const key of ['w', 'q', 'Q', 'n', 'm', 'p', 'o', 's']) expect(press(key, { control: true })).toBe(true);
  expect([press('F4', { alt: true }), press('F11'), press('q', { meta: true })]).toEqual([true, true, true]);
  const usual = [
    press('q'),
    press('Escape'),
    press('F4'),
    press('c', { control: true }),
    press('v', { control: true }),
  ];
  expect(usual).toEqual([false, false, false, false, false]);
});

describe('the line of the tray', () => {
  it('tells the connection, and what waits', () => {
    expect(stateLine(tillStateOf())).toBe('Online');
    const connection = { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } as const;
    const state = tillStateOf({ connection, operations: { ...noOperations, queued: 12 } });
    expect(stateLine(state)).toBe('Offline · Waiting to send: 12');
    expect(stateLine({ ...state, locale: 'ar' })).toContain('١٢');
    const checked = tillStateOf({ operations: { ...noOperations, unknown: 3, checking: 3 } });
    expect(stateLine(checked)).toBe('Online');
  });
});

describe('the customers’ screen', () => {
  const displayAt = (id: number, x: number, height = 768): DisplayFacts => {
    const bounds = { x, y: 0, width: 1366, height };
    return { id, bounds, workArea: { ...bounds, height: height - 40 } };
  };
  const [till, other, third] = [displayAt(1, 0), displayAt(2, 1366, 1080), displayAt(3, 2732)];
  const placeOn = (displays: readonly DisplayFacts[], tillId: number, customerId: number | null = null) => {
    const place = customerPlace(displays, { tillId, customerId });
    return place.kind === 'display' ? place.displayId : 'window';
  };

  it('fills the first display that is not the till’s, and keeps it when a third is plugged in', () => {
    expect(customerPlace([till, other], { tillId: 1, customerId: null })).toEqual({
      kind: 'display',
      displayId: 2,
      bounds: other.bounds,
    });
    expect([placeOn([till, other], 2), placeOn([third, till, other], 1, 2), placeOn([third, till], 1, 2)]).toEqual([
      1, 2, 3,
    ]);
  });

  it('is a window within the till’s display where there is no other, or the other mirrors it', () => {
    expect(customerPlace([till], { tillId: 1, customerId: 2 })).toEqual({
      kind: 'window',
      bounds: { x: 546, y: 291, width: 820, height: 437 },
    });
    expect([placeOn([till, displayAt(2, 0, 1080)], 1), placeOn([], 1), placeOn([other], 1)]).toEqual([
      'window',
      'window',
      'window',
    ]);
  });

  it('loads its own page of this machine alone, and asks its own host alone', () => {
    const given = customerAddress('http://127.0.0.1:7431/customer?token=abc') ?? { origin: '' };
    expect(given).toMatchObject({ origin: 'http://127.0.0.1:7431' });
    for (const address of [
      'http://127.0.0.1/customer?token=a',
      'https://127.0.0.1:7431/customer',
      'http://127.0.0.1:7431/?token=a',
      'http://till.example:7431/customer',
      'http://user:word@127.0.0.1:7431/customer',
      'file:///customer',
      'customer',
    ]) {
      expect([address, customerAddress(address)]).toEqual([address, null]);
    }
    const own = ['/customer', '/customer?token=b', '/customer#open=c'].map((path) => given.origin + path);
    expect(own.map((url) => isCustomerPage(url, given))).toEqual([true, true, true]);
    const strange = [
      `${given.origin}/customers`,
      `${given.origin}/`,
      'app://till/',
      'about:blank',
      `${given.origin}0/customer`,
    ];
    expect(strange.map((url) => isCustomerPage(url, given))).toEqual([false, false, false, false, false]);
    expect(isOfCustomerHost('ws://127.0.0.1:7431/customer/line', given)).toBe(true);
    for (const url of [
      'ws://127.0.0.1:7431/till',
      'http://127.0.0.1:7432/',
      'http://127.0.0.1:74310/',
      'app://till/',
    ]) {
      expect([url, isOfCustomerHost(url, given)]).toEqual([url, false]);
    }
  });
});

describe('the place of the window', () => {
  const screens = [
    { x: 0, y: 0, width: 1366, height: 768 },
    { x: 1366, y: 0, width: 1920, height: 1080 },
  ];
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'bounds-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
  const placedAt = (x: number, y: number, areas = screens) => {
    writeFileSync(join(dataDir, 'window.json'), JSON.stringify({ x, y, width: 1100, height: 650, maximized: false }));
    return readBounds(dataDir, areas) !== null;
  };

  it('is where it was, on whichever screen', () => {
    expect([placedAt(20, 30), placedAt(1_500, 100), placedAt(1_100, 400)]).toEqual([true, true, true]);
  });

  it('is given up when that screen is gone, or hardly anything of it would be seen', () => {
    expect(placedAt(1_500, 100, screens.slice(0, 1))).toBe(false);
    const unseen = [
      placedAt(3_200, 10),
      placedAt(-1_050, 10),
      placedAt(10, 700),
      placedAt(10, -400),
      placedAt(1_200, 10, screens.slice(0, 1)),
    ];
    expect(unseen).toEqual([false, false, false, false, false]);
  });

  it('is given up when the file says nonsense, or is not there', () => {
    expect(readBounds(dataDir, screens)).toBeNull();
    writeFileSync(join(dataDir, 'window.json'), '{"x": "left"}');
    expect(readBounds(dataDir, screens)).toBeNull();
  });
});

describe('the start at login', () => {
  it('quotes every word of its line, whatever the folder is called', () => {
    const entry = autostartEntry({
      executable: '/opt/Till bridge/tillbridge',
      args: ['--data-dir', '/home/a/"$x`100%\\'],
    });
    const exec = entry.split('\n').find((line) => line.startsWith('Exec='));
    expect(exec).toBe(
      String.raw`Exec="/opt/Till bridge/tillbridge" "--data-dir" "/home/a/\\"\\$x\\` + '`' + String.raw`100%%\\\\"`,
    );
  });

  it('has a file for each data folder, where the desktop looks', () => {
    const one = autostartPath('/data/1', {}, '/home/a');
    expect(one).toMatch(/^\/home\/a\/\.config\/autostart\/tillbridge-[0-9a-f]{12}\.desktop$/);
    expect(autostartPath('/data/2', {}, '/home/a')).not.toBe(one);
    expect(autostartPath('/data/1', { XDG_CONFIG_HOME: '/conf' }, '/home/a')).toMatch(/^\/conf\/autostart\//);
    expect(autostartPath('/data/1', { XDG_CONFIG_HOME: 'conf' }, '/home/a')).toBe(one);
  });
});

describe('a watched window', () => {
  const crash = { exitCode: null, signal: 'SIGSEGV' } as const;

  it('is opened again when it crashes, later each time, and given up after five crashes in ten minutes', () => {
    const rule = new RestartRule();
    const pauses = [0, 1, 2, 3].map((minute) => rule.ended(crash, minute * 60_000));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000].map((afterMs) => ({ kind: 'start_again', afterMs })));
    expect(rule.ended({ exitCode: 1, signal: null }, 240_000)).toEqual({ kind: 'give_up' });
  });

  it('is opened again for ever when it crashes seldom', () => {
    const rule = new RestartRule();
    for (let hour = 0; hour < 20; hour += 1) {
      expect(rule.ended(crash, hour * 3_600_000)).toEqual({ kind: 'start_again', afterMs: 1_000 });
    }
  });

  it('stays closed when it was quit, and when it has said what is wrong', () => {
    for (const exitCode of [0, 2, 3]) {
      expect(new RestartRule().ended({ exitCode, signal: null }, 0)).toEqual({ kind: 'done', exitCode });
    }
  });
});

describe('crash dumps', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'dumps-'));
    makePrivateFolder(join(crashDir(dataDir), 'pending'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const dump = (name: string, bytes: number, atSeconds: number): void => {
    const file = join(crashDir(dataDir), 'pending', `${name}.dmp`);
    writeFileSync(file, Buffer.alloc(bytes));
    utimesSync(file, atSeconds, atSeconds);
  };

  it('are kept by five, the newest', () => {
    for (let at = 1; at <= 7; at += 1) dump(`d${at}`, 10, at);
    writeFileSync(join(crashDir(dataDir), 'pending', 'd1.meta'), '');
    expect(boundCrashDumps(dataDir)).toBe(2);
    const kept = crashDumps(dataDir).map(({ name }) => name);
    expect(kept).toEqual([7, 6, 5, 4, 3].map((at) => join('pending', `d${at}.dmp`)));
    expect(readdirSync(join(crashDir(dataDir), 'pending'))).not.toContain('d1.meta');
  });

  it('are bounded in size, too, and none is no fault', () => {
    dump('new', 30 * 1024 * 1024, 2);
    dump('old', 30 * 1024 * 1024, 1);
    expect([boundCrashDumps(dataDir), crashDumps(dataDir).length]).toEqual([1, 1]);
    expect(boundCrashDumps(join(dataDir, 'nothing-here'))).toBe(0);
  });

  it('are searched for keys, in letters of one byte and of two', () => {
    const key = 'loyalty_pk_live_abcdef123456';
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const bytes = Buffer.concat([Buffer.alloc(7, 0x90), Buffer.from(key, encoding), Buffer.alloc(9)]);
      expect(findSecretInDump({ name: 'a.dmp', bytes }, [])).toEqual({ part: 'a.dmp', what: 'api_key' });
    }
    const own = Buffer.from('--my own secret--', 'utf16le');
    expect(findSecretInDump({ name: 'a.dmp', bytes: own }, ['my own secret'])?.what).toBe('own');
    expect(findSecretInDump({ name: 'a.dmp', bytes: Buffer.alloc(1_000, 7) }, ['my own secret'])).toBeNull();
  });
});

it('the customers’ window is put back three times until the displays change, and its own moves do not count', () => {
  const wanted = { x: 0, y: 0, width: 800, height: 600 };
  const away = { ...wanted, x: 40 };
  const strays = new Strays();
  for (let move = 0; move < 9; move += 1) expect(strays.moved(wanted, wanted)).toBe(false);
  expect([1, 2, 3, 4].map(() => strays.moved(away, wanted))).toEqual([true, true, true, false]);
  strays.reset();
  expect(strays.moved(away, wanted)).toBe(true);
});
