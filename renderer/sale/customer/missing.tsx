import { Icon, type IconName } from '../../components/icon.tsx';
import { useWords } from '../../copy/use-words.ts';
import { EnrollButton } from '../../find/find-panel.tsx';
import type { Stage } from '../../find/stage.ts';
import { useModel } from '../../model.ts';
import { OnTheWay } from './card-parts.tsx';
import { onTheWay } from './past.ts';

/** Says why nobody was found, and what the cashier can do now. */
export function Missing({ stage }: { readonly stage: Extract<Stage, { kind: 'missing' }> }) {
  const { frame, sale, history } = useModel();
  const words = frame.words.value;
  const { nobody } = useWords('past');
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
            {nobody.earnByCard}
          </button>
        )}
        {error.code !== 'customer_not_found' && error.code !== 'invalid' && (
          <button type="button" class="button button-outline button-large" onClick={sale.findAgain}>
            <Icon name="rotate-ccw" />
            {nobody.again}
          </button>
        )}
      </div>
    </div>
  );

  function missingWords(): { readonly icon: IconName; readonly title: string; readonly next: string } {
    const { find } = words;
    if (error.code === 'customer_not_found') {
      const next = isCard ? nobody.missingCardNext : nobody.missingNext;
      return { icon: 'user-x', title: nobody.missing[lookUp.kind], next };
    }
    if (error.code === 'offline') {
      const next = isCard ? nobody.offlineCardNext : nobody.offlineNext;
      return { icon: 'cloud-off', title: nobody.offline[lookUp.kind], next };
    }
    if (error.code === 'answered_for_another') {
      return { icon: 'triangle-alert', title: nobody.another, next: nobody.anotherNext };
    }
    if (error.code === 'invalid') return { icon: 'circle-help', title: find.unclear, next: find.unclearNext };
    return {
      icon: 'triangle-alert',
      title: nobody.failed,
      next: isCard ? nobody.failedCardNext : nobody.failedNext,
    };
  }
}
