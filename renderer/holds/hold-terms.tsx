import './holds.css';
import { Segments } from '../components/segments.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { changeHold } from '../sale/entry/aims.ts';
import type { Entry } from '../sale/entry/entry-flow.ts';
import { holdableOf, holdMinutes } from './holding.ts';

/** Chooses the time of a hold, and what is held when the card has more than one thing. */
export function HoldTerms({ entry, minutes }: { readonly entry: Entry; readonly minutes: number }) {
  const { frame, sale } = useModel();
  const words = useWords('holds');
  const currency = frame.till.value?.currency ?? '';
  const choices = holdableOf(entry.entryFor.card);
  return (
    <div class="hold-terms row">
      {choices.length > 1 && (
        <Segments
          legend={words.what}
          name="hold-what"
          options={choices.map((value) => ({
            value,
            label: value === 'redeem_points' ? words.points : words.amount,
          }))}
          chosen={choices.find((value) => value === entry.operation) ?? null}
          onChoose={(value) => sale.edit((now) => changeHold(now, { operation: value, minutes, currency }))}
        />
      )}
      <Segments
        legend={words.howLong}
        name="hold-minutes"
        options={holdMinutes.map((value) => ({ value, label: frame.format.value.number(value) }))}
        chosen={minutes}
        onChoose={(value) =>
          sale.edit((now) => changeHold(now, { operation: now.operation, minutes: value, currency }))
        }
      />
    </div>
  );
}
