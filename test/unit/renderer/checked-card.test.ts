import { describe, expect, it } from 'vitest';
import { isCardChecked } from '../../../renderer/sale/checked-card.ts';
import { holdOf, operationOf } from '../../support/ui-fake-agent.ts';

describe('a card with a hold whose answer was lost', () => {
  const asked = holdOf({ hold_id: 'press-1', card_id: 'card-1', state: 'asking' });
  const reserve = operationOf({ operation_id: 'press-1', intent: 'reserve', card_id: 'card-1', state: 'unknown' });

  it.each([
    ['while Recent has the hold', [reserve], [asked]],
    ['while the list of holds was not read', [reserve], null],
    ['though many sales came after it', [operationOf({ card_id: 'card-1' })], [asked]],
    ['though the page was loaded anew', null, [asked]],
  ])('is checked %s', (_, operations, holds) => {
    expect(isCardChecked('card-1', { operations, holds })).toBe(true);
    expect(isCardChecked('card-2', { operations, holds })).toBe(false);
  });

  it.each([
    ['it is held', [reserve], [{ ...asked, state: 'reserved' as const }], 'applied'],
    ['Recent knows its end, and the list is not read again yet', [reserve], [asked], 'refused'],
  ] as const)('is checked no more when %s', (_, [row], holds, state) => {
    expect(isCardChecked('card-1', { operations: [{ ...row, state }], holds })).toBe(false);
  });
});
