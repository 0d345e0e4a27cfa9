import { useState } from 'preact/hooks';
import type { TillAnswer } from '../../shared/till/api.ts';
import type { DayHour } from '../../shared/till/diagnostics-commands.ts';
import { localeTable } from '../../shared/till/locales.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

/** The width of the drawing, in its own units. */
const width = 960;
const height = 260;
const left = 48;
const bottom = 32;
const top = 12;
const plotHeight = height - bottom - top;
const labelEveryHours = 4;

/**
 * The last 24 hours: bars for what was taken, a line for what waited, and a mark for what needs attention. It can also
 * be shown as a table.
 */
export function DayChart({ day }: { readonly day: TillAnswer<'diagnostics.day'> }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const [isTable, setIsTable] = useState(false);
  const { hours } = day;
  const isEmpty = hours.every(({ taken, delivered, stuck, waiting }) => taken + delivered + stuck + waiting === 0);
  const format = frame.format.value;
  const sum = (of: 'taken' | 'delivered' | 'stuck'): string =>
    format.number(hours.reduce((total, hour) => total + hour[of], 0));
  const summary = words.queue.summary(
    sum('taken'),
    sum('delivered'),
    sum('stuck'),
    format.number(hours.at(-1)?.waiting ?? 0),
  );
  return (
    <section class="office-card" aria-labelledby="day-title">
      <div class="office-list-head">
        <div class="two-lines">
          <h3 id="day-title" class="office-label">
            {words.queue.day}
          </h3>
          <p class="office-note" data-day-summary>
            {isEmpty ? '' : summary} {day.is_partial && words.queue.partial}
          </p>
        </div>
        {!isEmpty && (
          <button type="button" class="button button-outline" onClick={() => setIsTable(!isTable)}>
            {isTable ? words.queue.asChart : words.queue.asTable}
          </button>
        )}
      </div>
      {isEmpty && (
        <p class="hollow">
          <strong>{words.queue.emptyTitle}</strong>
          {words.queue.emptyNext}
        </p>
      )}
      {!isEmpty && isTable && <HourTable hours={hours} />}
      {!isEmpty && !isTable && (
        <div class="day-chart">
          <Drawing hours={hours} label={summary} />
          <ul class="chart-legend">
            <li>
              <span class="legend-bar" aria-hidden="true" />
              {words.queue.taken}
            </li>
            <li>
              <span class="legend-line" aria-hidden="true" />
              {words.queue.waiting}
            </li>
            <li>
              <span class="legend-mark" aria-hidden="true" />
              {words.queue.stuck}
            </li>
          </ul>
        </div>
      )}
    </section>
  );
}

function Drawing({ hours, label }: { readonly hours: readonly DayHour[]; readonly label: string }) {
  const { frame } = useModel();
  const format = frame.format.value;
  const isMirrored = localeTable[frame.locale.value].direction === 'rtl';
  const most = niceTop(Math.max(...hours.map(({ taken, waiting, stuck }) => Math.max(taken, waiting, stuck))));
  const step = (width - left) / hours.length;
  const place = (index: number): number =>
    isMirrored ? (hours.length - 1 - index) * step + step / 2 : left + index * step + step / 2;
  const y = (value: number): number => top + plotHeight - (value / most) * plotHeight;
  const barWidth = step * 0.56;
  const axisX = isMirrored ? width - left + 8 : left - 8;
  const line = hours.map(({ waiting }, index) => `${place(index)},${y(waiting)}`).join(' ');
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line
            class="chart-grid"
            x1={isMirrored ? 0 : left}
            x2={isMirrored ? width - left : width}
            y1={y(most * share)}
            y2={y(most * share)}
          />
          <text
            class="chart-text"
            x={axisX}
            y={y(most * share) + 5}
            text-anchor={isMirrored ? 'start' : 'end'}
            direction="ltr"
          >
            {format.number(most * share)}
          </text>
        </g>
      ))}
      {hours.map(({ from, taken, stuck }, index) => (
        <g key={from}>
          {taken > 0 && (
            <rect
              class="chart-bar"
              x={place(index) - barWidth / 2}
              y={y(taken)}
              width={barWidth}
              height={Math.max(2, (taken / most) * plotHeight)}
              rx="3"
            />
          )}
          {stuck > 0 && <circle class="chart-stuck" cx={place(index)} cy={y(Math.max(taken, stuck)) - 1} r="6" />}
          {index % labelEveryHours === (hours.length % labelEveryHours) + labelEveryHours - 1 && (
            <text class="chart-text" x={place(index)} y={height - 8} text-anchor="middle" direction="ltr">
              {format.time(Date.parse(from))}
            </text>
          )}
        </g>
      ))}
      <polyline class="chart-line" points={line} />
    </svg>
  );
}

/** The next number of the row 2, 4, 10, 20, 40 and so on, so that half of it is a whole number, too. */
function niceTop(value: number): number {
  for (let scale = 1; ; scale *= 10) {
    for (const round of [2, 4, 10]) if (value <= round * scale) return round * scale;
  }
}

function HourTable({ hours }: { readonly hours: readonly DayHour[] }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
    <section class="hour-table" tabIndex={0} aria-label={words.queue.hourByHour}>
      <table>
        <thead>
          <tr>
            {[words.queue.hour, words.queue.taken, words.queue.delivered, words.queue.stuck, words.queue.waiting].map(
              (head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {hours.toReversed().map(({ from, taken, delivered, stuck, waiting }) => (
            <tr key={from}>
              <th scope="row">{format.time(Date.parse(from))}</th>
              <td>{format.number(taken)}</td>
              <td>{format.number(delivered)}</td>
              <td>{format.number(stuck)}</td>
              <td>{format.number(waiting)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
