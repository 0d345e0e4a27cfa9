import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { clockDateMs, httpDateMs } from '../../app/client/http-date.ts';

const instantMs = Date.parse('2026-11-20T18:13:00.000Z');

describe.each(['UTC', 'Asia/Kuwait', 'America/St_Johns'])('a till in %s', (timeZone) => {
  it.each([
    'Fri, 20 Nov 2026 18:13:00 GMT',
    'Friday, 20-Nov-26 18:13:00 GMT',
    'Fri Nov 20 18:13:00 2026',
    'Fri, 20 Nov 2026 18:13:00',
    'Fri, 20 Nov 2026 21:13:00 +0300',
    '2026-11-20T18:13:00Z',
    ' Fri, 20 Nov 2026 18:13:00 GMT ',
  ])('reads %s as the same moment', (text) => {
    vi.stubEnv('TZ', timeZone);
    expect(httpDateMs(text)).toBe(instantMs);
    vi.unstubAllEnvs();
  });
});

it.each(['', '0', '-5', '1e9', '12.5', '2026', 'soon', 'Fri, 99 Nov 2026 18:13:00 GMT'])('%s is no date', (text) => {
  expect(httpDateMs(text)).toBeNull();
});

it.each(['Sat, 13 Sep 275760 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'a clock that tells %s is broken',
  (text) => {
    expect(clockDateMs(text)).toBeNull();
  },
);

it('a date is read the same whatever was read before it', () => {
  const dates = ['', 'soon', 'Fri, 20 Nov 2026 18:13:00 GMT', ' Fri, 20 Nov 2026 18:13:00 GMT', '2026-11-20T18:13:01Z'];
  const broken = ['Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...dates, ...broken)), (texts) => {
      expect(texts.map(clockDateMs)).toEqual(texts.map((text) => (broken.includes(text) ? null : httpDateMs(text))));
    }),
    { seed: 20261126 },
  );
});
