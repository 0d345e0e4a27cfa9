import { operationStates } from '../../shared/machines/operation.ts';
import { activityKinds } from '../../shared/till/activity-kinds.ts';
import { DateField } from '../components/date-field.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { everything, type StateFilter } from './filter.ts';
import { useActivity } from './use-activity.ts';

/** The value for "everybody". No cashier's reference begins with a space. */
const everybody = ' ';
const stateFilters: readonly StateFilter[] = ['waiting', 'attention', ...operationStates];

/** The filters of the list. An empty filter lets everything pass. */
export function ActivityFilters() {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('activity');
  const activity = useActivity();
  const { narrow } = activity;
  const { state, day, text, kind, cashier } = activity.filter.value;
  const cashiers = frame.till.value?.cashiers ?? [];
  const stateName = (name: StateFilter): string => {
    if (name === 'waiting') return own.waiting;
    return name === 'attention' ? own.attention : all.stateWords[name];
  };
  return (
    <search class="activity-filters" aria-label={own.filters}>
      <label class="activity-filter">
        <span class="field-label">{own.text}</span>
        <input
          class="text-input"
          type="search"
          dir={text === '' ? undefined : 'auto'}
          autoComplete="off"
          spellcheck={false}
          maxLength={255}
          value={text}
          onInput={(event) => narrow({ text: event.currentTarget.value }, 'after_typing')}
        />
      </label>
      <div class="activity-filter">
        <label class="field-label" for="activity-day">
          {own.day}
        </label>
        <DateField id="activity-day" value={day} none={own.everyDay} onChange={(chosen) => narrow({ day: chosen })} />
      </div>
      <label class="activity-filter">
        <span class="field-label">{own.kind}</span>
        <select
          class="text-input"
          value={kind ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            narrow({ kind: activityKinds.find((known) => known === chosen) ?? null });
          }}
        >
          <option value="">{own.everyKind}</option>
          {activityKinds.map((name) => (
            <option key={name} value={name}>
              {own.kinds[name]}
            </option>
          ))}
        </select>
      </label>
      {cashiers.length > 0 && (
        <label class="activity-filter">
          <span class="field-label">{own.cashier}</span>
          <select
            class="text-input"
            value={cashier ?? everybody}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              narrow({ cashier: chosen === everybody ? null : chosen });
            }}
          >
            <option value={everybody}>{own.everybody}</option>
            {cashiers.map(({ name, employee_ref }) => (
              <option key={employee_ref} value={employee_ref}>
                {name}
              </option>
            ))}
            <option value="">{own.nobody}</option>
          </select>
        </label>
      )}
      <label class="activity-filter">
        <span class="field-label">{own.state}</span>
        <select
          class="text-input"
          value={state ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            narrow({ state: stateFilters.find((known) => known === chosen) ?? null });
          }}
        >
          <option value="">{own.everyState}</option>
          {stateFilters.map((name) => (
            <option key={name} value={name}>
              {stateName(name)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="button button-ghost"
        disabled={!activity.isNarrowed()}
        onClick={() => narrow(everything)}
      >
        {own.clear}
      </button>
    </search>
  );
}
