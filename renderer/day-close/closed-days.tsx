import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { dateInWords } from './day-words.ts';
import { useDayClose } from './use-day-close.ts';

/** The closed days, newest first, each with a way to its figures. */
export function ClosedDays() {
  const { frame } = useModel();
  const own = useWords('day-close');
  const dayClose = useDayClose();
  const format = frame.format.value;
  const closes = dayClose.closes.value;
  const shown = dayClose.day.value?.business_date;
  return (
    <aside class="day-closes stack gap-2" aria-label={own.closes}>
      <h3 class="section-title">{own.closes}</h3>
      {closes === null && <span class="skeleton skeleton-row" aria-hidden="true" />}
      {closes?.length === 0 && (
        <p class="hollow">
          <strong>{own.closesEmptyTitle}</strong>
          {own.closesEmptyNext}
        </p>
      )}
      {closes !== null && closes.length > 0 && (
        <ul class="stack gap-1">
          {closes.map((close) => (
            <li key={close.business_date}>
              <button
                type="button"
                class="day-close-row stack"
                data-day={close.business_date}
                aria-current={close.business_date === shown ? 'true' : undefined}
                onClick={() => dayClose.show(close.business_date)}
              >
                <span class="day-close-date">{dateInWords(close.business_date, frame.locale.value, 'short')}</span>
                <span
                  class="line-quiet day-cut"
                  title={own.closedBy(close.closed_by, format.dateTime(Date.parse(close.closed_at)))}
                >
                  <bdi>{close.closed_by}</bdi>
                </span>
                {close.open_count > 0 && (
                  <span class="day-close-open">{own.openThen(close.open_count, format.number(close.open_count))}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {dayClose.hasMoreCloses.value && (
        <button type="button" class="button button-ghost" onClick={() => void dayClose.moreCloses()}>
          {own.moreCloses}
        </button>
      )}
    </aside>
  );
}
