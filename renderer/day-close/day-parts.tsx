import { dayOutcomes } from '../../shared/till/day-names.ts';
import type { Carried as CarriedView, DayView } from '../../shared/till/day-views.ts';
import { Icon } from '../components/icon.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { operationAmount, operationCustomer, rowState, shortReference } from '../operation/operation-words.ts';
import { rowLook } from '../operation/standing.ts';
import { DayTable, outcomeLooks } from './day-table.tsx';

interface PartProps {
  readonly title: string;
  readonly note: string;
  /** Names the part for tests, in every language. */
  readonly part: string;
}

/** Operations that were added to a day after it was closed. */
export function LateComers({
  late,
  title,
  note,
  part,
}: PartProps & { readonly late: NonNullable<DayView['since_closing']> }) {
  return (
    <section class="day-panel panel stack gap-3" data-part={part} aria-label={title}>
      <h3 class="day-part-title">{title}</h3>
      <p class="day-note">{note}</p>
      <DayTable lines={late.lines} />
    </section>
  );
}

/** What was open when the day was closed, and what became of each operation. */
export function Carried({ carried, title, note, part }: PartProps & { readonly carried: CarriedView }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  const all = frame.words.value;
  const format = frame.format.value;
  const left = carried.count - carried.operations.length;
  return (
    <section class="day-panel panel stack gap-3" data-part={part} aria-label={title}>
      <h3 class="day-part-title">{title}</h3>
      <p class="day-note">{note}</p>
      <ul class="day-outcomes">
        {dayOutcomes
          .filter((outcome) => carried.outcomes[outcome] > 0)
          .map((outcome) => (
            <li key={outcome} class={`badge tone-${outcomeLooks[outcome].tone}`} data-outcome={outcome}>
              <Icon name={outcomeLooks[outcome].icon} size={16} />
              {`${own.outcomes[outcome]}: ${format.number(carried.outcomes[outcome])}`}
            </li>
          ))}
      </ul>
      <ul class="day-carried">
        {carried.operations.map(({ now }) => (
          <li key={now.operation_id} class="day-carried-row" data-ref={now.external_ref} data-state={now.state}>
            <StateIcon look={rowLook(now)} />
            <span class="two-lines">
              <span class="day-carried-worth">
                <bdi>{operationAmount(now, all, format)}</bdi>
              </span>
              <span class="line-quiet day-cut">
                <bdi>{operationCustomer(now, all)}</bdi>
              </span>
            </span>
            <bdi dir="ltr" class="ref day-cut" title={now.external_ref}>
              {shortReference(now.external_ref)}
            </bdi>
            <span class="day-carried-state">{rowState(now, all)}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p class="day-note">{own.more(format.number(left))}</p>}
    </section>
  );
}
