import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OperationView } from '../../shared/till/views.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { ActivityCells, ActivityHead } from './activity-row.tsx';
import { type Pages, rowAt, rowOf } from './pages.ts';
import { mostRows } from './part-reader.ts';
import { useActivity } from './use-activity.ts';

/** The height of `.activity-row` in the styles. */
const rowHeightRem = 3.5;
/** How many rows are drawn above and below the view, for the next turn of the wheel. */
const overscan = 8;

/** The rows that are in view. */
interface View {
  readonly first: number;
  readonly last: number;
}

/** Draws the rows in view and a few around them. The list is as high as if all rows were drawn. */
export function ActivityList({ pages }: { readonly pages: Pages }) {
  const { frame } = useModel();
  const own = useWords('activity');
  const activity = useActivity();
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ first: 0, last: 20 });
  const [active, setActive] = useState(0);
  const rowHeight = (): number => rowHeightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

  const measure = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const height = rowHeight();
    const first = Math.max(0, Math.floor(element.scrollTop / height) - overscan);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + overscan;
    setView((before) => (before.first === first && before.last === last ? before : { first, last }));
    activity.look(first, last);
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A list with another filter begins at its top.
  const filter = activity.filter.value;
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setActive(0);
    measure();
  }, [filter]);

  const goTo = (row: number): void => {
    const element = scroller.current;
    const target = Math.max(0, Math.min(row, pages.count - 1));
    if (element === null) return;
    const height = rowHeight();
    if (target * height < element.scrollTop) element.scrollTop = target * height;
    const bottom = (target + 1) * height - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
    setActive(target);
    measure();
    // After its row is drawn.
    requestAnimationFrame(() => element.querySelector<HTMLElement>(`[data-row="${target}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, view.last - view.first - 2 * overscan - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: pages.count - 1,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    goTo(target);
  };

  const last = Math.min(view.last, pages.count - 1);
  const rows = Array.from({ length: Math.max(0, last - view.first + 1) }, (_, index) => view.first + index);
  const isActiveShown = active >= view.first && active <= last;
  return (
    <div class="activity-frame stack">
      {activity.newCount.value > 0 && (
        <button
          type="button"
          class="button button-primary activity-new"
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 });
            activity.readAgain();
          }}
        >
          {`${own.newOnes(activity.newCount.value, frame.format.value.number(activity.newCount.value))} · ${own.showNew}`}
        </button>
      )}
      <ActivityHead />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it */}
      <div class="activity-scroll" ref={scroller} onScroll={measure} onKeyDown={onKeyDown}>
        <ul
          class="activity-list"
          aria-label={own.list}
          tabIndex={isActiveShown ? -1 : 0}
          style={{ blockSize: `${pages.count * rowHeightRem}rem` }}
          onFocus={(event) => {
            if (event.target === event.currentTarget) goTo(active);
          }}
        >
          {rows.map((row) => (
            <Row
              key={row}
              row={row}
              operation={rowAt(pages, row)}
              original={rowOf(pages, rowAt(pages, row)?.reverses_row_id ?? null)}
              setSize={pages.isWhole ? pages.count : -1}
              isActive={row === active}
              onFocus={() => setActive(row)}
            />
          ))}
        </ul>
      </div>
      <p class="activity-foot" role="status">
        {activity.isReading.value && !pages.isWhole && own.reading}
        {pages.count >= mostRows && own.tooMany(frame.format.value.number(mostRows))}
      </p>
    </div>
  );
}

interface RowProps {
  readonly row: number;
  /** Null while it is being read. */
  readonly operation: OperationView | null;
  readonly original: OperationView | null;
  readonly setSize: number;
  readonly isActive: boolean;
  readonly onFocus: () => void;
}

function Row({ row, operation, original, setSize, isActive, onFocus }: RowProps) {
  const activity = useActivity();
  const place = { insetBlockStart: `${row * rowHeightRem}rem` };
  if (operation === null) {
    return (
      <li class="activity-place" style={place} aria-setsize={setSize} aria-posinset={row + 1}>
        <span class="skeleton activity-skeleton" />
      </li>
    );
  }
  const { external_ref, state } = operation;
  return (
    <li
      class="activity-place"
      style={place}
      aria-setsize={setSize}
      aria-posinset={row + 1}
      data-ref={external_ref}
      data-state={state}
      data-intent={operation.intent}
    >
      <button
        type="button"
        class="activity-grid activity-row"
        data-row={row}
        tabIndex={isActive ? 0 : -1}
        onFocus={onFocus}
        onClick={() => void activity.open(operation.operation_id)}
      >
        <ActivityCells operation={operation} original={original} />
      </button>
    </li>
  );
}
