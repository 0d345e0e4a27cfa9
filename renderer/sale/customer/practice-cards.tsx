import { FirstIcon } from '../../components/first-icon.tsx';
import { useModel } from '../../model.ts';

/** Cards of the sandbox that a beginner can try. */
export function PracticeCards() {
  const { frame, sale } = useModel();
  const words = frame.words.value.customer;
  const practiceCards = frame.till.value?.practice_cards ?? [];
  if (practiceCards.length === 0) return <p class="blank-note">{words.emptySandbox}</p>;
  return (
    <div class="practice stack gap-3">
      <p class="practice-title">{words.practice}</p>
      <ul class="practice-cards panel stack">
        {practiceCards.map(({ loyalty_id, customer_name }) => (
          <li key={loyalty_id}>
            <button type="button" class="practice-card row gap-3" onClick={() => sale.scan(loyalty_id)}>
              <FirstIcon name="id-card" />
              <bdi dir="ltr" class="practice-number">
                {loyalty_id}
              </bdi>
              {customer_name !== null && <bdi class="practice-name cut">{customer_name}</bdi>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
