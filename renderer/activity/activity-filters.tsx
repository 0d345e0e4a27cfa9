import { operationStates } from '../../shared/machines/operation.ts';
import { DateField } from '../components/date-field.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { StateFilter } from './state.ts';
import { useActivity } from './use-activity.ts';

const stateFilters: readonly StateFilter[] = ['waiting', 'attention', ...operationStates];

/** What narrows the list; what is empty narrows nothing. */
export function ActivityFilters() {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('activity');
  const activity = useActivity();
  const { state, day, customer, text } = activity.filter.value;
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
          onInput={(event) => activity.narrow({ text: event.currentTarget.value }, 'after_typing')}
        />
      </label>
      <label class="activity-filter">
        <span class="field-label">{own.customer}</span>
        <input
          class="text-input"
          type="search"
          dir={customer === '' ? undefined : 'auto'}
          autoComplete="off"
          spellcheck={false}
          maxLength={255}
          placeholder={own.customerHint}
          value={customer}
          onInput={(event) => activity.narrow({ customer: event.currentTarget.value }, 'after_typing')}
        />
      </label>
      <label class="activity-filter">
        <span class="field-label">{own.state}</span>
        <select
          class="text-input"
          value={state ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            activity.narrow({ state: stateFilters.find((known) => known === chosen) ?? null });
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
      <div class="activity-filter">
        <label class="field-label" for="activity-day">
          {own.day}
        </label>
        <DateField
          id="activity-day"
          value={day}
          none={own.everyDay}
          onChange={(chosen) => activity.narrow({ day: chosen })}
        />
      </div>
      <button
        type="button"
        class="button button-ghost"
        disabled={!activity.isNarrowed()}
        onClick={() => activity.narrow({ state: null, day: '', customer: '', text: '' })}
      >
        {own.clear}
      </button>
    </search>
  );
}
