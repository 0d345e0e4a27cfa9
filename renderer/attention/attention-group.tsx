import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import type { AttentionWords } from '../copy/en/attention.ts';
import type { Words } from '../copy/en/start.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { operationCustomer } from '../operation/operation-words.ts';
import { rowWords } from '../operation/row-words.ts';
import { isBeingFoundOut, rowLook } from '../operation/standing.ts';
import { WaysOut } from '../sale/outcome/ways-out.tsx';
import {
  type AttentionAction,
  actionsOf,
  type Cause,
  causeOf,
  type Group,
  isFound,
  isSentTogether,
  mendAtTill,
  withDecision,
} from './groups.ts';
import { useAttention } from './use-attention.ts';

const shownAtFirst = 20;
const shownMore = 100;

/** Operations that wait for the same reason: the reason, its repair, and one button for all of them. */
export function AttentionGroup({ group }: { readonly group: Group }) {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('attention');
  const attention = useAttention();
  const format = frame.format.value;
  const [shown, setShown] = useState(shownAtFirst);
  const { cause, operations } = group;
  const chosen = operations.filter(({ operation_id }) => attention.chosen.value.has(operation_id));
  const { title, mend } = groupWords(cause, all, own);
  const bulkAction = cause === 'not_applied' || mendAtTill(cause) === 'receipt' ? 'replace' : 'resend';
  const hasBulk = operations.length > 1 && isSentTogether(cause);
  const rest = operations.length - shown;
  const headId = `attention-${cause}`;
  return (
    <section class="attention-group panel stack" aria-labelledby={headId} data-cause={cause}>
      <header class="attention-head row wrap">
        <div class="two-lines attention-why">
          <h2 class="attention-title row gap-2" id={headId}>
            {title}
            <span class={`badge ${cause === 'unknown' ? 'tone-info' : 'tone-danger'}`}>
              {format.number(operations.length)}
            </span>
          </h2>
          <p class="quiet">{mend}</p>
        </div>
        {hasBulk && (
          <div class="row wrap gap-3">
            <GroupCheck
              label={own.chooseAll(format.number(operations.length))}
              isAll={chosen.length === operations.length}
              isSome={chosen.length > 0}
              onChange={(isChosen) => attention.chooseAlike(cause, isChosen)}
            />
            <button
              type="button"
              class="button button-primary"
              disabled={chosen.length === 0}
              onClick={() => attention.bulk.begin(chosen, bulkAction)}
            >
              <Icon name="send" mirrors />
              {chosen.length === 0
                ? own.actions[bulkAction]
                : own.bulk[bulkAction](chosen.length, format.number(chosen.length))}
            </button>
          </div>
        )}
      </header>
      <ul class="attention-list">
        {operations.slice(0, shown).map((operation) => (
          <AttentionRow key={operation.operation_id} operation={operation} canBeChosen={hasBulk} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" class="button button-ghost attention-more" onClick={() => setShown(shown + shownMore)}>
          {own.showMore(format.number(Math.min(rest, shownMore)))}
        </button>
      )}
    </section>
  );
}

function groupWords(cause: Cause, { refusals }: Words, own: AttentionWords): { title: string; mend: string } {
  if (cause === 'not_applied') return { title: own.notAppliedTitle, mend: own.notApplied };
  if (cause === 'unknown') return { title: own.unknownTitle, mend: own.unknown };
  if (isFound(cause)) return own.found[cause];
  return { title: refusals[cause].title, mend: own.mend[cause] };
}

interface GroupCheckProps {
  readonly label: string;
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function GroupCheck({ label, isAll, isSome, onChange }: GroupCheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome && !isAll;
  }, [isAll, isSome]);
  return (
    <label class="attention-all row gap-2">
      <input
        ref={box}
        type="checkbox"
        class="check"
        checked={isAll}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function AttentionRow({
  operation,
  canBeChosen,
}: {
  readonly operation: OperationView;
  readonly canBeChosen: boolean;
}) {
  const { frame, recent } = useModel();
  const all = frame.words.value;
  const own = useWords('attention');
  const attention = useAttention();
  const format = frame.format.value;
  const [first] = actionsOf(operation);
  const amount = rowWords(operation, null, all, format).text;
  const { operation_id, external_ref } = operation;
  const actionWords = (action: AttentionAction): string =>
    action === 'correct' ? correctWords() : own.actions[action];
  const correctWords = (): string => {
    const mend = mendAtTill(causeOf(operation));
    if (mend === 'other_card') return own.actions.choose_card;
    return mend === 'amount' ? all.nextSteps.amount : own.actions.correct;
  };
  return (
    <li class="attention-row row wrap list-row" data-ref={external_ref} data-state={operation.state}>
      {canBeChosen && (
        <label class="attention-pick row gap-2">
          <input
            type="checkbox"
            class="check"
            aria-label={own.choose(`${amount} ${external_ref}`)}
            checked={attention.chosen.value.has(operation_id)}
            onChange={(event) => attention.choose(operation_id, event.currentTarget.checked)}
          />
        </label>
      )}
      <StateIcon look={rowLook(operation)} size={20} />
      <div class="two-lines attention-text">
        <span class="attention-first">
          <bdi class="attention-amount">{amount}</bdi>
          <bdi class="attention-who">{operationCustomer(operation, all)}</bdi>
        </span>
        <span class="attention-second">
          <time dateTime={operation.occurred_at}>{format.dateTime(Date.parse(operation.occurred_at))}</time>
          <bdi dir="ltr" class="ref">
            {external_ref}
          </bdi>
        </span>
      </div>
      <div class="attention-actions">
        {actionsOf(operation).map((action) => (
          <button
            key={action}
            type="button"
            class={`button ${action === first ? 'button-outline' : 'button-ghost'}`}
            onClick={() => attention.begin(operation, action)}
          >
            {actionWords(action)}
          </button>
        ))}
      </div>
      {isBeingFoundOut(operation) && (
        <WaysOut title="shown" operation={withDecision(operation, recent.find(operation_id))} />
      )}
    </li>
  );
}
