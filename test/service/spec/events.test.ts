import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { openTill, type Till } from './till.ts';

const expected = (status: string) => ({ status, completed_at: status === 'pending' ? null : expect.any(String) });

describe.each(faces)('Events | "outcomes are learned by polling", $name', ({ start }) => {
  let face: TestFace;
  let till: Till;
  beforeEach(async () => {
    face = await start();
    await face.control('POST', '/clock', { mode: 'manual' });
    till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 100 } }]);
  });
  afterEach(() => face.close());

  const pending: readonly (readonly [string, () => Promise<string>])[] = [
    ['an earn', async () => (await till.earn('R-1', { points: 5 })).body.transaction_id],
    [
      'a reversal',
      async () => {
        await till.redeem('R-0', { points: 5 });
        return (await till.reverse('R-0', 'redeem', { reversal_ref: 'R-1' })).body.transaction_id;
      },
    ],
  ];

  test.each(pending)(
    '%s: GET /transactions/{transaction_id} and GET /transactions?external_ref= agree at every time',
    async (_, make) => {
      const id = await make();
      for (const [durationMs, status] of [
        [0, 'pending'],
        [1000, 'success'],
        [86_400_000, 'success'],
      ] as const) {
        await face.advance(durationMs);
        const polled = await till.read(id);
        expect(polled).toMatchObject(expected(status));
        expect(await till.byReference('R-1')).toEqual([polled]);
      }
    },
  );

  test.each(pending)('%s that fails says why to both', async (_, make) => {
    const id = await make();
    await face.control('POST', `/transactions/${id}/fail`, { code: 'UPSTREAM_TIMEOUT', message: 'No answer' });
    await face.advance(1000);
    const polled = await till.read(id);
    expect(polled).toMatchObject({ ...expected('failed'), new_balances: null });
    expect(polled.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', message: 'No answer', retryable: true });
    expect(await till.byReference('R-1')).toEqual([polled]);
  });

  test('a redemption whose answer was lost is found by its reference', async () => {
    await face.control('POST', '/faults', { effect: { type: 'drop_response' }, times: 1 });
    await expect(till.redeem('R-1', { points: 5 })).rejects.toThrow(/other side closed/);
    const [found] = await till.byReference('R-1');
    expect(found).toMatchObject({ intent: 'redeem', status: 'success', new_balances: { points: 95 } });
    expect(await till.read(found.transaction_id)).toEqual(found);
  });
});
