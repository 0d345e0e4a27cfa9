import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { People } from '../../app/people/people.ts';
import { lockMsAfter } from '../../app/people/pin-lock.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
/** In the sandbox whoever has the lab moves this one. */
let clock: ManualClock;
let machineClock: ManualClock;
let people: People;
beforeEach(() => {
  folder = temporaryFolder();
  clock = new ManualClock();
  machineClock = new ManualClock();
  open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

function open(): void {
  store = openStore(folder.file('till.sqlite'), { random: systemRandom() });
  people = new People({
    store: store.people,
    writer: store.writer,
    clock,
    lockClock: machineClock,
    randomBytes: (length) => randomBytes(length),
    badgeHash: (badge) => createHash('sha256').update(badge).digest(),
  });
}

function restart(): void {
  store.close();
  // A new process counts its own monotonic time.
  machineClock = new ManualClock(clock.now());
  open();
}

async function wrong(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await people.checkPin('0000');
}

it('somebody who is taken off the list at the moment of being added was added, and is off', async () => {
  const added = people.addCashier({ name: 'Sara', employeeRef: 'E-1', badge: 'B-1' });
  const removed = people.remove('Sara');
  expect(await added).toMatchObject({ kind: 'added', person: { name: 'Sara' } });
  expect(await removed).toBe(true);
  expect(people.list()).toEqual([]);
});

it('somebody whose name or reference has half a character is not added', async () => {
  expect(await people.addCashier({ name: 'Sara', employeeRef: 'emp-\ud800', badge: 'B-1' })).toMatchObject({
    kind: 'invalid',
    field: 'employee_ref',
  });
  expect(await people.addManager('Sara\udc00', '4711')).toMatchObject({ kind: 'invalid', field: 'name' });
  expect(people.list()).toEqual([]);
});

it.each(['\u2028', '\u2029'])(
  'somebody whose name or reference has a separator of lines (%j) is not added',
  async (mark) => {
    expect(await people.addManager(`A${mark}B`, '4711')).toMatchObject({ kind: 'invalid', field: 'name' });
    expect(await people.addCashier({ name: `A${mark}B`, employeeRef: 'e-1', badge: 'B-1' })).toMatchObject({
      kind: 'invalid',
      field: 'name',
    });
    expect(await people.addCashier({ name: 'Sara', employeeRef: `e${mark}1`, badge: 'B-1' })).toMatchObject({
      field: 'employee_ref',
    });
    expect(people.list()).toEqual([]);
  },
);

describe('a manager’s PIN', () => {
  it('tells who decides, and is asked of nobody while there are no managers', async () => {
    expect(await people.checkPin('4711')).toEqual({ kind: 'no_managers' });
    await people.addManager('Mona', '4711');
    await people.addManager('Omar', '081500');
    expect(await people.checkPin('081500')).toEqual({ kind: 'right', name: 'Omar' });
    expect(await people.checkPin('4711')).toEqual({ kind: 'right', name: 'Mona' });
    expect(await people.checkPin('4712')).toEqual({ kind: 'wrong', attemptsLeft: 4 });
    expect(await people.checkPin('47110')).toEqual({ kind: 'wrong', attemptsLeft: 3 });
  });

  it('stands in no file', async () => {
    await people.addManager('Mona', '90210417');
    await people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'BADGE-90210417' });
    store.close();
    expect(readFileSync(folder.file('till.sqlite'), 'latin1')).not.toContain('90210417');
    open();
  });

  it('locks for a minute at the fifth wrong one in a row, and longer at each further one', async () => {
    await people.addManager('Mona', '4711');
    await wrong(4);
    expect(await people.checkPin('0000')).toEqual({ kind: 'locked', forMs: 60_000 });
    expect(await people.checkPin('4711')).toEqual({ kind: 'locked', forMs: 60_000 });
    machineClock.advance(60_000);
    expect(await people.checkPin('0000')).toEqual({ kind: 'locked', forMs: 120_000 });
    machineClock.advance(120_000);
    expect(await people.checkPin('4711')).toEqual({ kind: 'right', name: 'Mona' });
    expect(await people.checkPin('0000')).toEqual({ kind: 'wrong', attemptsLeft: 4 });
    expect([4, 5, 6, 7, 8, 9, 50].map(lockMsAfter)).toEqual([0, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
  });

  it('stays locked when the sandbox’s clock is moved on, the machine’s is set forward, and over a restart', async () => {
    await people.addManager('Mona', '4711');
    await wrong(5);
    clock.advance(86_400_000);
    machineClock.jump(86_400_000);
    expect(await people.checkPin('4711')).toMatchObject({ kind: 'locked' });
    machineClock.advance(30_000);
    restart();
    machineClock.jump(86_400_000);
    expect(await people.checkPin('4711')).toEqual({ kind: 'locked', forMs: 60_000 });
  });

  it('counts wrong ones over a restart, and guesses that come together one by one', async () => {
    await people.addManager('Mona', '4711');
    await wrong(3);
    restart();
    const together = await Promise.all(['1', '2', '3', '4711'].map((guess) => people.checkPin(guess)));
    expect(together.map(({ kind }) => kind)).toEqual(['wrong', 'locked', 'locked', 'locked']);
  });

  it.each([
    ['', '4711', 'name'],
    [' Mona', '4711', 'name'],
    ['M'.repeat(65), '4711', 'name'],
    ['Mona\u0007', '4711', 'name'],
    ['Mona', '471', 'pin'],
    ['Mona', '47a1', 'pin'],
    ['Mona', '1'.repeat(13), 'pin'],
    ['Mona', '7777', 'pin'],
    ['Nora', '5812', 'name'],
    ['Mona', '5812', 'pin'],
  ])('of %j with %j is refused at the %s', async (name, pin, field) => {
    await people.addManager('Nora', '5812');
    expect(await people.addManager(name, pin)).toMatchObject({ kind: 'invalid', field });
    expect(people.list()).toHaveLength(1);
  });
});

describe('managers who are added at the same moment', () => {
  it('share no PIN and no name', async () => {
    const outcomes = await Promise.all([
      people.addManager('Mona', '4711'),
      people.addManager('Omar', '4711'),
      people.addManager('Mona', '5812'),
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'added' },
      { kind: 'invalid', field: 'pin' },
      { kind: 'invalid', field: 'name' },
    ]);
    expect(people.list().map(({ name }) => name)).toEqual(['Mona']);
  });
});

describe('a cashier', () => {
  it('is known by the badge', async () => {
    await people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
    expect(people.checkBadge('B-1001')).toMatchObject({
      kind: 'known',
      person: { name: 'Sami', employeeRef: 'emp-7' },
    });
    expect(people.checkBadge('B-1002')).toEqual({ kind: 'unknown' });
    expect(await people.remove('Sami')).toBe(true);
    expect(await people.remove('Sami')).toBe(false);
    expect(people.checkBadge('B-1001')).toEqual({ kind: 'unknown' });
  });

  it('cannot be found by guessing badges: the fifth unknown one in a row locks for a minute, the right one too', async () => {
    await people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
    for (const guess of ['B-0001', 'B-0002', 'B-0003', 'B-0004']) {
      expect(people.checkBadge(guess)).toEqual({ kind: 'unknown' });
    }
    expect(people.checkBadge('B-0005')).toEqual({ kind: 'locked', forMs: 60_000 });
    // Nobody learns by asking on which badge is one, and the sandbox's clock opens nothing.
    clock.advance(86_400_000);
    expect(people.checkBadge('B-1001')).toEqual({ kind: 'locked', forMs: 60_000 });
    machineClock.advance(60_000);
    expect(people.checkBadge('B-0006')).toEqual({ kind: 'locked', forMs: 120_000 });
    machineClock.advance(120_000);
    expect(people.checkBadge('B-1001')).toMatchObject({ kind: 'known' });
    expect(people.checkBadge('B-0007')).toEqual({ kind: 'unknown' });
  });

  it('does not take the brake off with their own badge between guesses, and is kept out by no number mistyped before it', async () => {
    await people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
    const guess = (times: number) => Array.from({ length: times }, (_, time) => people.checkBadge(`B-9${time}`).kind);
    expect(guess(4)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(people.checkBadge('B-1001')).toMatchObject({ kind: 'known' });
    expect(people.checkBadge('B-0005')).toEqual({ kind: 'locked', forMs: 60_000 });
    // A day of numbers that are mistyped now and then locks nobody out.
    machineClock.advance(3_600_000);
    expect(people.checkBadge('B-1001')).toMatchObject({ kind: 'known' });
    for (let hour = 0; hour < 12; hour += 1) {
      expect(guess(1)).toEqual(['unknown']);
      expect(people.checkBadge('B-1001')).toMatchObject({ kind: 'known' });
      machineClock.advance(3_600_000);
    }
  });

  it('shares a badge with nobody', async () => {
    await people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
    expect(await people.addCashier({ name: 'Lina', employeeRef: 'emp-8', badge: 'B-1001' })).toEqual({
      kind: 'invalid',
      field: 'badge',
      problem: "is Sami's",
    });
    expect(await people.addCashier({ name: 'Lina', employeeRef: '', badge: 'B-2' })).toMatchObject({
      kind: 'invalid',
      field: 'employee_ref',
    });
  });
});
