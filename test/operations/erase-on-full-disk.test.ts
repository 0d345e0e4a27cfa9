import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProfileSeal } from '../../app/customers/profile-seal.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { profileKeyBytes } from '../../app/machine/secrets.ts';
import { createOffice } from '../../app/office/office.ts';
import { personData } from '../../app/operations/personal-data/person-data.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { rowTimeMs, temporaryFolder } from '../support/core-rows.ts';
import { FakeCore } from '../support/fake-core.ts';

const full = () => {
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
};
const outOfTheQuestion = () => {
  throw new Error('not asked for here');
};

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openStore(folder.file('sandbox.sqlite'), { random: systemRandom(), nowMs: rowTimeMs });
});
afterEach(() => {
  store.close();
  folder.remove();
});

function eraseBeside(broken: Partial<Parameters<typeof personData>[0]>, audited: object[] = []) {
  const seal = new ProfileSeal(Buffer.alloc(profileKeyBytes), (length) => Buffer.alloc(length));
  const audit = { note: (event: object) => audited.push(event) };
  const persons = personData({ ...store, seal, audit, pause: () => nextTurn(), currency: 'KWD', ...broken });
  const office = createOffice(Object.assign(new FakeCore(), { persons }), {
    tokens: { list: outOfTheQuestion, make: outOfTheQuestion, share: outOfTheQuestion, revoke: outOfTheQuestion },
    settings: { read: outOfTheQuestion, change: outOfTheQuestion, held: outOfTheQuestion },
    checkService: outOfTheQuestion,
    sessions: { list: outOfTheQuestion, end: outOfTheQuestion, open: outOfTheQuestion },
    nowMs: () => rowTimeMs,
  });
  return office('customer.erase', { kind: 'phone', value: '50001001', elsewhere: 0 });
}

describe('erasing a customer on a full disk', () => {
  it('is no fault of the agent: the disk is named', async () => {
    expect(
      await eraseBeside({ writer: Object.assign(Object.create(store.writer), { urgent: async () => full() }) }),
    ).toEqual({
      kind: 'not_written',
      message: expect.stringMatching(/^The disk did not take it: database or disk is full\. Free space/),
    });
  });

  it('that cannot rewrite the file is told and audited as done, and that traces may be left', async () => {
    const audited: object[] = [];
    const retention = Object.assign(Object.create(store.retention), { tidy: full });
    expect(await eraseBeside({ retention }, audited)).toMatchObject({
      kind: 'answered',
      answer: { stays: [], log_left: false, gap_left: true },
    });
    expect(audited).toMatchObject([{ event: 'erased', what: 'customer' }]);
  });
});
