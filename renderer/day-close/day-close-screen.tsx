import './day-close.css';
import { useEffect, useState } from 'preact/hooks';
import type { TillError } from '../../shared/till/api.ts';
import { dayCsv } from '../../shared/till/day-csv.ts';
import type { DayView } from '../../shared/till/day-views.ts';
import { DateField } from '../components/date-field.tsx';
import { ReadFailed } from '../components/empty-page.tsx';
import { Icon } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { PageHead } from '../frame/page-head.tsx';
import { useWhenAnswered } from '../frame/use-when-answered.ts';
import { useModel } from '../model.ts';
import { saveTextFile } from '../shell/save-file.ts';
import { CashierTable } from './cashier-table.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { ClosedDays } from './closed-days.tsx';
import { Carried, LateComers } from './day-parts.tsx';
import { DayTable } from './day-table.tsx';
import { dateInWords } from './day-words.ts';
import { createDayClose } from './state.ts';
import { DayCloseContext, useDayClose } from './use-day-close.ts';

/** The figures of a business day: what became of everything that was taken, and the closing of the day. */
export function DayCloseScreen() {
  const { api, clock, frame } = useModel();
  const [state] = useState(() => createDayClose({ api, clock, till: frame.till }));
  useWhenAnswered(state.readAgain);
  useEffect(() => state.leave, [state]);
  const day = state.day.value;
  const failure = state.failure.value;
  return (
    <DayCloseContext.Provider value={state}>
      <main class="page day" data-screen="day-close">
        <PageHead screen="day-close">{day !== null && <Actions day={day} />}</PageHead>
        {day === null && failure === null && <span class="skeleton day-skeleton" aria-hidden="true" />}
        {failure !== null && <Failed failure={failure} />}
        {day !== null && <Day day={day} />}
        {state.closing.value !== null && <CloseDialog closing={state.closing.value} />}
      </main>
    </DayCloseContext.Provider>
  );
}

function Actions({ day }: { readonly day: DayView }) {
  const own = useWords('day-close');
  const dayClose = useDayClose();
  return (
    <>
      <button type="button" class="button button-outline" onClick={() => window.print()}>
        <Icon name="printer" />
        {own.print}
      </button>
      <button
        type="button"
        class="button button-outline"
        onClick={() => saveTextFile(window, `day-${day.business_date}.csv`, dayCsv(day))}
      >
        <Icon name="download" />
        {own.csv}
      </button>
      {day.close === null && day.business_date <= day.today && (
        <button type="button" class="button button-primary" onClick={dayClose.begin}>
          <Icon name="calendar-check" />
          {own.close}
        </button>
      )}
    </>
  );
}

function Day({ day }: { readonly day: DayView }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  const locale = frame.locale.value;
  const format = frame.format.value;
  const counted = format.dateTime(Date.parse(day.counted_at));
  return (
    <>
      <PaperHead day={day} />
      <DayBar day={day} />
      <div class="day-columns">
        <div class="day-main stack gap-4">
          <section class="day-panel panel stack gap-3" aria-label={own.figures}>
            <p class="day-note">{day.close === null ? own.countedAt(counted) : own.asClosed}</p>
            <DayTable lines={day.lines} isWhole />
          </section>
          {day.cashiers === null ? <p class="day-note">{own.notCounted}</p> : <CashierTable cashiers={day.cashiers} />}
          {day.since_closing !== null && day.since_closing.count > 0 && (
            <LateComers
              late={day.since_closing}
              title={own.since(day.since_closing.count, format.number(day.since_closing.count))}
              note={own.sinceNext}
              part="since-closing"
            />
          )}
          {day.carried_in !== null && day.carried_in.count > 0 && (
            <Carried
              carried={day.carried_in}
              title={own.carriedIn(
                day.carried_in.count,
                format.number(day.carried_in.count),
                dateInWords(day.carried_in.business_date, locale, 'short'),
              )}
              note={own.carriedInNext}
              part="carried-in"
            />
          )}
          {day.after_earlier !== null && day.after_earlier.count > 0 && day.carried_in !== null && (
            <LateComers
              late={day.after_earlier}
              title={own.late(
                day.after_earlier.count,
                format.number(day.after_earlier.count),
                dateInWords(day.carried_in.business_date, locale, 'short'),
              )}
              note={own.sinceNext}
              part="after-earlier"
            />
          )}
          {day.carried_out !== null && day.carried_out.count > 0 && (
            <Carried
              carried={day.carried_out}
              title={own.carriedOut(day.carried_out.count, format.number(day.carried_out.count))}
              note={own.carriedOutNext}
              part="carried-out"
            />
          )}
        </div>
        <ClosedDays />
      </div>
      <p class="paper paper-sign">
        <span>{own.paper.signature}</span>
      </p>
    </>
  );
}

/** The day's date, the ways to the days before and after, and whether the day is closed. */
function DayBar({ day }: { readonly day: DayView }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  const dayClose = useDayClose();
  const format = frame.format.value;
  const isToday = day.business_date === day.today;
  return (
    <div class="day-bar row wrap">
      <div class="day-choice row gap-2">
        <button
          type="button"
          class="button button-outline button-icon"
          aria-label={own.earlier}
          title={own.earlier}
          onClick={() => dayClose.step(-1)}
        >
          <Icon name="chevron-left" mirrors />
        </button>
        <div class="day-date">
          <DateField
            label={own.day}
            value={day.business_date}
            none=""
            max={day.today}
            onChange={(value) => dayClose.show(value === '' ? null : value)}
          />
        </div>
        <button
          type="button"
          class="button button-outline button-icon"
          aria-label={own.later}
          title={own.later}
          disabled={day.business_date >= day.today}
          onClick={() => dayClose.step(1)}
        >
          <Icon name="chevron-right" mirrors />
        </button>
        {!isToday && (
          <button type="button" class="button button-ghost" onClick={() => dayClose.show(null)}>
            {own.today}
          </button>
        )}
      </div>
      <div class="two-lines day-name">
        <h2 class="day-title">{dateInWords(day.business_date, frame.locale.value, 'long')}</h2>
        <p class="day-hours">{own.from(format.digits(day.starts_at))}</p>
      </div>
      <p class="badge day-status" data-closed={day.close !== null}>
        <Icon name={day.close === null ? 'hourglass' : 'lock'} size={16} />
        <span>
          {day.close === null
            ? own.notClosed
            : own.closedBy(day.close.closed_by, format.dateTime(Date.parse(day.close.closed_at)))}
        </span>
      </p>
    </div>
  );
}

/** The head of the printed page, which says whose day this is. */
function PaperHead({ day }: { readonly day: DayView }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  const till = frame.till.value;
  if (till === null) return null;
  return (
    <dl class="paper paper-head">
      <dt>{own.paper.till}</dt>
      <dd>{till.device_name}</dd>
      {till.branch_ref !== null && (
        <>
          <dt>{own.paper.branch}</dt>
          <dd>{till.branch_ref}</dd>
        </>
      )}
      <dt>{own.paper.printed}</dt>
      <dd>{frame.format.value.dateTime(Date.parse(day.counted_at))}</dd>
      {till.mode === 'sandbox' && <dd class="paper-practice">{own.paper.practice}</dd>}
    </dl>
  );
}

function Failed({ failure }: { readonly failure: TillError }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  const dayClose = useDayClose();
  return <ReadFailed words={own} next={frame.words.value.errors[failure.code].next} onAgain={dayClose.readAgain} />;
}
