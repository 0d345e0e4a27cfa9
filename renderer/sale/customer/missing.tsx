import { Icon, type IconName } from '../../components/icon.tsx';
import { EnrollButton } from '../../find/find-panel.tsx';
import type { Stage } from '../../find/stage.ts';
import { useModel } from '../../model.ts';
import { OnTheWay } from './card-parts.tsx';
import { onTheWay } from './past.ts';

/** Says why nobody was found, and what the cashier can do now. */
export function Missing({ stage }: { readonly stage: Extract<Stage, { kind: 'missing' }> }) {
  const { frame, sale, history } = useModel();
  const words = frame.words.value;
  const { lookUp, error } = stage;
  const isCard = lookUp.kind === 'card';
  const coming = onTheWay(history.theirs.value?.operations ?? [], () => true);
  const { icon, title, next } = missingWords();
  return (
    <div class="blank stack gap-2" role="status" data-missing={error.code}>
      <span class={`tile tile-large ${error.code === 'customer_not_found' ? 'tone-waiting' : 'tone-warning'}`}>
        <Icon name={icon} size={28} />
      </span>
      <h2 class="blank-title">{title}</h2>
      <p class="blank-code">
        <bdi dir="ltr">{lookUp.text}</bdi>
      </p>
      <p class="blank-text">{next}</p>
      {coming.length > 0 && (
        <p class="row gap-3">
          <OnTheWay values={coming} />
        </p>
      )}
      <div class="blank-actions">
        {error.code === 'customer_not_found' && <EnrollButton lookUp={lookUp} look="button-primary button-large" />}
        {isCard && error.code !== 'invalid' && (
          <button
            type="button"
            // When the service knows no such card, this button is not the main one.
            class={`button button-large ${error.code === 'customer_not_found' ? 'button-outline' : 'button-primary'}`}
            onClick={() => sale.openByCardNumber('earn_amount')}
          >
            <Icon name="id-card" />
            {words.customer.earnByCard}
          </button>
        )}
        {error.code !== 'customer_not_found' && error.code !== 'invalid' && (
          <button type="button" class="button button-outline button-large" onClick={sale.findAgain}>
            <Icon name="rotate-ccw" />
            {words.customer.again}
          </button>
        )}
      </div>
    </div>
  );

  function missingWords(): { readonly icon: IconName; readonly title: string; readonly next: string } {
    const { customer, find } = words;
    if (error.code === 'customer_not_found') {
      const next = isCard ? customer.missingCardNext : customer.missingNext;
      return { icon: 'user-x', title: customer.missing[lookUp.kind], next };
    }
    if (error.code === 'offline') {
      const next = isCard ? customer.offlineCardNext : customer.offlineNext;
      return { icon: 'cloud-off', title: customer.offline[lookUp.kind], next };
    }
    if (error.code === 'answered_for_another') {
      return { icon: 'triangle-alert', title: customer.another, next: customer.anotherNext };
    }
    if (error.code === 'invalid') return { icon: 'circle-help', title: find.unclear, next: find.unclearNext };
    return {
      icon: 'triangle-alert',
      title: customer.failed,
      next: isCard ? customer.failedCardNext : customer.failedNext,
    };
  }
}
