import { beforeEach, describe, expect, it } from 'vitest';
import { SaleCounter } from '../../support/sale-counter.ts';

let counter: SaleCounter;

beforeEach(() => {
  counter = new SaleCounter();
});

async function confirmed(amount: string): Promise<void> {
  await counter.inFront('LC-1002');
  counter.press(amount);
  counter.sale.confirm();
}

const waysToLeave = [
  ['Next customer', () => counter.sale.clear()],
  ['Escape', () => counter.sale.cancel()],
  ['Escape in the find box', () => counter.sale.goBack()],
] as const;

describe.each(waysToLeave)('%s right after Confirm', (_, leave) => {
  it.each(['looks_like_a_repeat', 'pin_needed', 'above_limit', 'reference_taken', 'not_saved'] as const)(
    'leaves %s on the screen until somebody can have read it',
    async (code) => {
      await confirmed('12');
      await counter.api.newest('operation.earn').refuse(code);
      leave();
      expect(counter.who()).toBe('Yousef Al-Mutairi');
      counter.clock.advance(399);
      leave();
      expect(counter.sale.entry.value?.text).toBe('12');
      counter.clock.advance(1);
      leave();
      expect(counter.sale.entry.value).toBeNull();
    },
  );

  it('leaves the answer there when it was pressed before that could be read, however late the page gets to it', async () => {
    await confirmed('12');
    await counter.api.newest('operation.earn').refuse('pin_needed');
    counter.clock.advance(1_000);
    counter.presses.lateByMs = 700;
    leave();
    expect(counter.sale.entry.value?.text).toBe('12');
    counter.presses.lateByMs = 600;
    leave();
    expect(counter.sale.entry.value).toBeNull();
  });

  it('leaves the answer there while the page has not painted it', async () => {
    await confirmed('12');
    counter.presses.paints = false;
    await counter.api.newest('operation.earn').refuse('looks_like_a_repeat');
    counter.clock.advance(1_000);
    leave();
    expect(counter.sale.entry.value?.question?.ready).toBe(false);
  });

  it('leaves a mistake in what was typed on the screen, too', async () => {
    await confirmed('0');
    leave();
    expect(counter.sale.entry.value?.problem).toBe('zero');
  });

  it('closes an entry into which nothing was typed', async () => {
    await confirmed('');
    leave();
    expect(counter.sale.entry.value).toBeNull();
  });

  it('waits no longer because Enter was pressed at a question that was not read', async () => {
    await confirmed('12');
    await counter.api.newest('operation.earn').refuse('looks_like_a_repeat');
    counter.clock.advance(300);
    counter.sale.confirm();
    counter.clock.advance(100);
    leave();
    expect(counter.sale.entry.value).toBeNull();
    expect(counter.earns()).toHaveLength(1);
  });
});
