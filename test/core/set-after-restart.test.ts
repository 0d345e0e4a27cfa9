import { expect, test } from 'vitest';
import { parseJson } from '../../app/client/read-answer.ts';
import { fieldOf } from '../../shared/contract/differing-fields.ts';
import { openShop } from '../support/open-shop.ts';

const hourMs = 3_600_000;

test.each([
  ['3 hours behind, and is set right', -3, 3],
  ['3 hours ahead, and is set right', 3, -3],
  ['right, and is set 3 hours back', 0, -3],
])(
  'a sale saved offline has its own time where the clock was %s after a restart, before the line is back',
  async (_, wrongByHours, setByHours) => {
    const shop = await openShop();
    await shop.stop();
    let isDown = true;
    shop.meddle = async (call, carry) => (isDown ? { kind: 'no_connection' } : carry(call));
    shop.setTillClock(wrongByHours * hourMs);
    shop.start();
    await shop.pass(5_000);
    await shop.saved('R-1');
    const soldAtMs = shop.clock.now();
    await shop.pass(5_000);
    shop.crash();
    shop.start();
    await shop.pass(30_000, 500);
    shop.setTillClock(setByHours * hourMs);
    await shop.pass(30_000, 500);
    isDown = false;
    await shop.pass(120_000, 500);
    const { rowId, state } = shop.operation('R-1');
    expect(state).toBe('applied');
    const toldAt = fieldOf(parseJson(shop.core.sentRequest(rowId)?.body ?? ''), 'occurred_at');
    expect(Math.abs(Date.parse(String(toldAt)) - soldAtMs)).toBeLessThan(2_000);
  },
);
