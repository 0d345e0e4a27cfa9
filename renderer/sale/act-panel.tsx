import { useLayoutEffect, useState } from 'preact/hooks';
import { FirstIcon } from '../components/first-icon.tsx';
import { useModel } from '../model.ts';
import { NextCustomer } from './next-customer.tsx';
import { OperationsPanel } from './operations-panel.tsx';

/** The column of what can be done. On a page zoomed to 200 % it is the foot: the first operation, and a sheet with all. */
export function ActPanel() {
  const { frame, sale } = useModel();
  const [isOpen, setOpen] = useState(false);
  const entry = sale.entry.value;
  const card = sale.card.value;
  // Whatever was chosen, the sheet has done its work.
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
