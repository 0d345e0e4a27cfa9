import { type DayOutcome, dayOutcomes } from '../../shared/till/day-names.ts';
import type { DayLine } from '../../shared/till/day-views.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { Tone } from '../operation/outcome.ts';
import { figureWorth, lineName } from './day-words.ts';

export const outcomeLooks: Readonly<Record<DayOutcome, { readonly icon: IconName; readonly tone: Tone }>> = {
  applied: { icon: 'circle-check', tone: 'success' },
  waiting: { icon: 'cloud-upload', tone: 'waiting' },
  refused: { icon: 'circle-alert', tone: 'danger' },
  written_off: { icon: 'file-x', tone: 'neutral' },
  taken_back: { icon: 'undo-2', tone: 'neutral' },
};

interface DayTableProps {
  readonly lines: readonly DayLine[];
  /** Whether this is the whole day, not a part of it. An empty whole day says what will appear. */
  readonly isWhole?: boolean;
}

/** Operations by currency and by result. The number of operations is below the amount. */
export function DayTable({ lines, isWhole = false }: DayTableProps) {
  const { frame } = useModel();
  const own = useWords('day-close');
  if (lines.length === 0) {
    return isWhole ? (
      <p class="hollow">
        <strong>{own.emptyTitle}</strong>
        {own.emptyNext}
      </p>
    ) : null;
  }
  return (
    <table class="day-table">
      <thead>
        <tr>
          <th scope="col">{own.operation}</th>
          {dayOutcomes.map((outcome) => (
            <th key={outcome} scope="col" data-outcome={outcome}>
              <span class={`day-outcome tone-text-${outcomeLooks[outcome].tone}`}>
                <Icon name={outcomeLooks[outcome].icon} size={16} />
                {own.outcomes[outcome]}
              </span>
              {isWhole && <span class="day-outcome-note">{own.outcomeNotes[outcome]}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr
            key={`${line.intent} ${line.takes_back} ${line.unit} ${line.currency}`}
            data-line={`${line.intent}-${line.unit}`}
          >
            <th scope="row">
              {lineName(line, frame.words.value, own)}
              {line.currency !== null && (
                <span class="day-currency">
                  <bdi>{line.currency}</bdi>
                </span>
              )}
            </th>
            {dayOutcomes.map((outcome) => (
              <td key={outcome} data-outcome={outcome}>
                <Figure line={line} outcome={outcome} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Figure({ line, outcome }: { readonly line: DayLine; readonly outcome: DayOutcome }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  const format = frame.format.value;
  const figure = line[outcome];
  if (figure.count === 0) {
    return (
      <span class="day-none">
        <span aria-hidden="true">–</span>
        <span class="visually-hidden">{own.nothing}</span>
      </span>
    );
  }
  const worth = figureWorth(figure, line, frame.words.value, format);
  const count = own.times(figure.count, format.number(figure.count));
  return (
    <>
      {worth !== null && (
        <span class="day-worth">
          <bdi>{worth}</bdi>
        </span>
      )}
      <span class={worth === null ? 'day-worth' : 'day-count'}>{count}</span>
    </>
  );
}
