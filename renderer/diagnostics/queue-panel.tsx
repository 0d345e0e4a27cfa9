import { needsPerson, type OperationState, openStates, settledStates } from '../../shared/machines/operation.ts';
import type { Diagnosis } from '../../shared/till/diagnostics-commands.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { DayChart } from './day-chart.tsx';
import type { DiagnosticsState } from './state.ts';

/** The operations that wait, by state, and the last day. */
export function QueuePanel({ diagnosis, state }: { readonly diagnosis: Diagnosis; readonly state: DiagnosticsState }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  const { counts, oldest_waiting_at: oldest } = diagnosis;
  const day = state.day.value;
  return (
    <>
      <section class="office-card" aria-labelledby="queue-now">
        <div class="office-list-head">
          <h3 id="queue-now" class="office-label">
            {words.queue.now}
          </h3>
          <p class="quiet">
            {oldest === null ? words.queue.nothingWaits : words.queue.oldest(format.dateTime(Date.parse(oldest)))}
          </p>
        </div>
        <Counts states={openStates} counts={counts} />
      </section>
      {day === null ? <span class="skeleton office-skeleton" aria-hidden="true" /> : <DayChart day={day} />}
      <section class="office-card" aria-labelledby="queue-settled">
        <div class="office-list-head">
          <h3 id="queue-settled" class="office-label">
            {words.queue.settled}
          </h3>
        </div>
        <Counts states={settledStates} counts={counts} />
      </section>
    </>
  );
}

function Counts({
  states,
  counts,
}: {
  readonly states: readonly OperationState[];
  readonly counts: Diagnosis['counts'];
}) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  return (
    <dl class="counts">
      {states.map((name) => {
        const count = counts[name] ?? 0;
        return (
          <div
            key={name}
            class={count > 0 && needsPerson(name) ? 'count count-stuck stack gap-1' : 'count stack gap-1'}
            data-count={name}
          >
            <dt>{words.queue.states[name]}</dt>
            <dd>{frame.format.value.number(count)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
