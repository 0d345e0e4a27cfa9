import type { ComponentChildren } from 'preact';
import { leftToRight } from '../../../shared/words/direction.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { maskedPhone } from '../../copy/format.ts';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { ScanNote } from '../scan-note.tsx';

/** What waits beside the sale: a program's amount, a check-in, or a scanned card. It never replaces the customer in front by itself. */
export function BesideNote() {
  const { frame, sale, api } = useModel();
  const words = useWords('past').beside;
  const till = frame.till.value;
  const handed = till?.handed_over ?? null;
  const entry = sale.entry.value;
  const isFilled = handed !== null && entry?.filled?.id === handed.id;
  const canUse = entry === null && sale.card.value?.allowed_operations.includes('earn_amount') === true;
  const checkIn = till?.display?.check_in ?? null;
  const stage = sale.stage.value;
  const outcome = sale.outcome.value;
  // The entry and the outcome of the sale for which it waits name it themselves.
  const isCardWaiting =
    sale.waitingScan.value !== null &&
    entry === null &&
    stage.kind !== 'finding' &&
    (sale.keepsScan.value || outcome === null || outcome.isEarlier);
  const isUnconfirmed = stage.kind === 'customer' && stage.lookUp.isCheckIn === true;
  return (
    <>
      {handed !== null && !isFilled && (
        <Note
          icon="receipt-text"
          name="handed-over"
          act={canUse ? words.use : null}
          onAct={() => sale.open('earn_amount')}
        >
          {words.handedOver(frame.format.value.money(handed.amount_minor, handed.currency))}
        </Note>
      )}
      {checkIn !== null && (
        <Note
          icon="user-check"
          name="check-in"
          act={entry?.busy === true ? null : words.show}
          onAct={() => {
            void api.call('display.taken', { id: checkIn.id });
            sale.bringBeside({ kind: 'phone', text: checkIn.phone });
          }}
        >
          {words.checkedIn(leftToRight(maskedPhone(checkIn.phone)))}
        </Note>
      )}
      {isUnconfirmed && (
        <Note icon="user-check" name="checked-in" act={words.showBalance} onAct={sale.takeUp}>
          {words.balanceHidden}
        </Note>
      )}
      {isCardWaiting && (
        // An earlier sale may be another customer's.
        <ScanNote
          who={stage.kind === 'customer' && outcome === null ? stage.found.profile.name : null}
          onSwitch={sale.takeWaitingScan}
        />
      )}
    </>
  );
}

interface NoteProps {
  readonly icon: IconName;
  readonly name: string;
  readonly act: string | null;
  readonly onAct: () => void;
  readonly children: ComponentChildren;
}

function Note({ icon, name, act, onAct, children }: NoteProps) {
  return (
    <div class="notice tone-info entry-note" role="status" data-beside={name}>
      <Icon name={icon} />
      <span>{children}</span>
      {act !== null && (
        <button type="button" class="button button-ghost" onClick={onAct}>
          {act}
        </button>
      )}
    </div>
  );
}
