import { FirstIcon } from '../components/first-icon.tsx';
import { useModel } from '../model.ts';

/** The button for the next customer, below the operations in every state. Its edge shows when the screen clears. */
export function NextCustomer() {
  const { frame, sale } = useModel();
  const outcome = sale.outcome.value;
  if (sale.stage.value.kind === 'idle' && outcome === null) return null;
  const clearsAfterMs = outcome?.clearsAfterMs ?? null;
  const isLit = outcome !== null && !outcome.isEarlier;
  return (
    <button
      type="button"
      class={isLit ? 'button button-outline next next-lit' : 'button button-outline next'}
      disabled={sale.entry.value?.busy === true}
      onClick={sale.clear}
    >
      <FirstIcon name="user-check" />
      {frame.words.value.customer.next}
      {outcome !== null && clearsAfterMs !== null && (
        <span
          key={outcome.round}
          class="next-timer"
          style={{ animationDuration: `${clearsAfterMs}ms` }}
          aria-hidden="true"
        />
      )}
    </button>
  );
}
