import { useLayoutEffect, useState } from 'preact/hooks';
import { FirstIcon } from '../components/first-icon.tsx';
import { useModel } from '../model.ts';
import { NextCustomer } from './next-customer.tsx';
import { OperationsPanel } from './operations-panel.tsx';

/**
 * The column with the operations. On a page zoomed to 200 % it becomes the foot: the first operation, and a sheet with
 * all of them.
 */
export function ActPanel() {
  const { frame, sale } = useModel();
  const [isOpen, setOpen] = useState(false);
  const entry = sale.entry.value;
  const card = sale.card.value;
  // The sheet closes when an operation or another card was chosen.
  useLayoutEffect(() => setOpen(false), [entry?.entryId, card?.card_id]);
  const words = frame.words.value;
  return (
    <div class="act stack" data-open={isOpen ? '' : undefined}>
      <OperationsPanel />
      <NextCustomer />
      {card !== null && (
        <button
          type="button"
          class="button button-outline act-others"
          aria-expanded={isOpen}
          // The find box keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setOpen(!isOpen)}
        >
          <FirstIcon name={isOpen ? 'x' : 'menu'} />
          {words.operations.others}
        </button>
      )}
    </div>
  );
}
