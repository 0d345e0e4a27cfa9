import './activity.css';
import { useEffect, useState } from 'preact/hooks';
import { EmptyPage, ReadFailed } from '../components/empty-page.tsx';
import { Icon } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { PageHead } from '../frame/page-head.tsx';
import { useWhenAnswered } from '../frame/use-when-answered.ts';
import { useModel } from '../model.ts';
import { newTextFile } from '../shell/save-file.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';
import { DetailDialog } from './detail-dialog.tsx';
import { everything } from './filter.ts';
import { createMySales } from './my-sales.ts';
import { MySums } from './my-sums.tsx';
import { createActivity } from './state.ts';
import { ActivityContext, useActivity } from './use-activity.ts';

/** Every operation of this till, with filters for state, day, customer and reference. */
export function ActivityScreen() {
  const { api, clock, frame } = useModel();
  const own = useWords('activity');
  const [state] = useState(() => createActivity({ api, clock }));
  const [sales] = useState(() => createMySales({ api, clock, activity: state }));
  useWhenAnswered(state.readAgain);
  useWhenAnswered(sales.readAgain);
  useEffect(
    () => () => {
      sales.leave();
      state.leave();
    },
    [state, sales],
  );
  const cashier = frame.till.value?.cashier ?? null;
  const mine = sales.mine.value;
  // Another cashier has signed in, so "My sales" ends.
  useEffect(() => {
    if (mine.kind === 'off' || mine.cashier === cashier?.employee_ref) return;
    state.narrow(everything);
  }, [cashier?.employee_ref]);
  const detail = state.detail.value;
  return (
    <ActivityContext.Provider value={state}>
      <main class="page activity" data-screen="activity">
        <PageHead screen="activity">
          <ExportNews />
          {cashier !== null && (
            <button
              type="button"
              class="button button-outline"
              aria-pressed={mine.kind !== 'off'}
              onClick={() => sales.toggle(cashier.employee_ref)}
            >
              <Icon name="user-check" />
              {own.mySales}
            </button>
          )}
          <button
            type="button"
            class="button button-outline"
            disabled={state.exporting.value?.failure === null}
            onClick={() => void state.exportAll(newTextFile(window, 'activity.csv'))}
          >
            <Icon name="download" />
            {own.csv}
          </button>
        </PageHead>
        <ActivityFilters />
        <MySums sales={sales} />
        <Body />
        {detail !== null && <DetailDialog key={detail.operation.operation_id} detail={detail} />}
      </main>
    </ActivityContext.Provider>
  );
}

function Body() {
  const { frame } = useModel();
  const own = useWords('activity');
  const activity = useActivity();
  const pages = activity.pages.value;
  const failure = activity.failure.value;
  if (failure !== null) {
    return <ReadFailed words={own} next={frame.words.value.errors[failure.code].title} onAgain={activity.readAgain} />;
  }
  if (pages === null) {
    return (
      <div class="activity-waiting stack" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((row) => (
          <span key={row} class="skeleton activity-skeleton" />
        ))}
      </div>
    );
  }
  if (pages.count === 0 && !activity.isReading.value) {
    const isNarrowed = activity.isNarrowed();
    return (
      <EmptyPage
        icon={isNarrowed ? 'search' : 'receipt-text'}
        title={isNarrowed ? own.nothingTitle : own.emptyTitle}
        next={isNarrowed ? own.nothingNext : own.emptyNext}
      />
    );
  }
  return <ActivityList pages={pages} />;
}

/** The progress of an export, and the button that stops it. */
function ExportNews() {
  const { frame } = useModel();
  const own = useWords('activity');
  const activity = useActivity();
  const exporting = activity.exporting.value;
  if (exporting === null) return null;
  const { count, failure } = exporting;
  return (
    <div class="activity-export row gap-2" role="status" data-exported={count}>
      <span class={failure === null ? 'quiet' : 'field-error'}>
        {failure === null ? own.exporting(count, frame.format.value.number(count)) : own.exportFailed}
      </span>
      <button type="button" class="button button-ghost" onClick={activity.cancelExport}>
        {own.cancel}
      </button>
    </div>
  );
}
