import { afterEach, expect, it } from 'vitest';
import type { Certificate } from '../../app/till/practice.ts';
import type { Till } from '../../app/till/till.ts';
import { FakeCore } from '../support/fake-core.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tillOf } from '../support/till-of.ts';

let till: Till;
afterEach(() => till.close());

function certifying(settings: ConstructorParameters<typeof FakeCore>[0]): (input: object) => Promise<unknown> {
  const lines: Certificate[] = [];
  till = tillOf({
    core: new FakeCore(settings),
    clock: new ManualClock(0),
    certify: (certificate) => lines.push(certificate),
    onFault: (error) => expect(error).toBeUndefined(),
  });
  return async (input) => ({ reply: await till.handle({ command: 'practice.certify', input }), lines });
}

it('writes one line for a practice shift, with the name as the trainer wrote it', async () => {
  const certify = certifying({});
  expect(await certify({ name: ' Mona ', minutes: 12 })).toMatchObject({
    reply: { ok: true, value: { name: 'Mona', minutes: 12 } },
    lines: [{ trainee: 'Mona', minutes: 12, employee_ref: null }],
  });
});

it.each([
  ['an empty name', { name: '  ', minutes: 1 }, 'name'],
  ['a name that never ends', { name: 'x'.repeat(81), minutes: 1 }, 'name'],
  ['a card number instead of a name', { name: '4111 1111 1111 1111', minutes: 1 }, 'name'],
  ['no time at all', { name: 'Mona', minutes: 0 }, 'minutes'],
])('writes nothing for %s', async (_, input, field) => {
  expect(await certifying({})(input)).toMatchObject({
    reply: { ok: false, error: { code: 'invalid', field } },
    lines: [],
  });
});

it('writes nothing on a till of production', async () => {
  expect(await certifying({ mode: 'production' })({ name: 'Mona', minutes: 12 })).toMatchObject({
    reply: { ok: false, error: { code: 'no_lab' } },
    lines: [],
  });
});
