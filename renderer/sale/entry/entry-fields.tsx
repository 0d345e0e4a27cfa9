import type { ComponentChildren } from 'preact';
import { balancesMainFirst } from '../../../shared/till/balances.ts';
import { stampGoalOf } from '../../../shared/till/progress.ts';
import { touchClicks } from '../../components/fingers.ts';
import { FirstIcon } from '../../components/first-icon.tsx';
import { loadLater } from '../../components/load-later.tsx';
import { balanceInWords } from '../../copy/format.ts';
import { useModel } from '../../model.ts';
import { balanceAfter } from '../../operation/balances.ts';
import { impliedText, type NumberKind, noLimits, readEntry, wholeBalance } from '../../operation/entry.ts';
import { isEarnOperation } from '../../operation/operations.ts';
import { type Entry, isFixed } from './entry-flow.ts';
import { numberTitle, problemInWords } from './entry-words.ts';
import { ReceiptField } from './receipt-field.tsx';

/**
 * The longest figure at full size, in digits: beside the keys, and across the whole middle. Longer figures are smaller.
 */
const longFigure = 7;
const longestFigure = 11;

const AskedPin = loadLater(
  () => import('./asked-pin.tsx'),
  (module) => module.AskedPin,
);

interface AmountBoxProps {
  /** An entry of a number. The others have no field for a number. */
  readonly entry: Entry & { readonly kind: NumberKind };
  readonly title: string;
  readonly onType: (text: string) => void;
  readonly onFill: (text: string) => void;
  /** At the end of the title's line. */
  readonly children?: ComponentChildren;
  /** Below the figure and its meaning. */
  readonly below?: ComponentChildren;
}

/** The amount: the figure is the field. The line below says what the figure means, or what is wrong. */
export function AmountBox({ entry, title, onType, onFill, children, below }: AmountBoxProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const { kind, text } = entry;
  const { digits, currency } = frame.format.value;
  const problem = problemInWords(entry, frame.till.value?.limits ?? null, words, frame.format.value);
  const isMoney = kind.unit === 'money';
  // A level below the customer's name, when the name is shown above.
  const Title = entry.entryFor.card === null ? 'h2' : 'h3';
  const unit = isMoney ? currency(kind.currency) : words.balanceUnits[kind.unit](Number(text));
  const written = digits(text);
  const implied = isMoney ? impliedText(text, kind) : text === '' ? '0' : '';
  const length = written.length + implied.length;
  return (
    <div class={problem === null ? 'amount' : 'amount amount-wrong'}>
      <div class="entry-box-head">
        <Title class="entry-name">{title}</Title>
        {!isEarnOperation(entry.operation) && entry.pin === null && !entry.isReceiptOpen && (
          <UseAll entry={entry} onFill={onFill} isOutlined={problem !== null} />
        )}
        {children}
      </div>
      <div
        class="echo"
        data-long={length > longFigure ? '' : undefined}
        data-longer={length > longestFigure ? '' : undefined}
        data-unit={isMoney ? 'before' : 'after'}
      >
        <span class="echo-unit">{unit}</span>
        <span class="echo-value" dir="ltr">
          <input
            id="entry-amount"
            class="amount-input"
            aria-label={words.entry.labels[kind.unit]}
            data-first={firstMark()}
            data-types-here={entry.isReceiptOpen || entry.pin !== null ? undefined : ''}
            type="text"
            inputMode="none"
            autoComplete="off"
            dir="ltr"
            maxLength={40}
            readOnly={entry.busy || entry.pin !== null || isFixed(entry)}
            aria-invalid={entry.problem !== null}
            aria-describedby="entry-amount-note"
            onClick={sale.backToAmount}
            onFocus={() => sale.turnToReceipt(false)}
            value={written}
            onInput={(event) => onType(event.currentTarget.value)}
          />
          <span class="echo-implied" aria-hidden="true">
            {digits(implied)}
          </span>
        </span>
      </div>
      <p id="entry-amount-note" class={problem === null ? 'amount-note' : 'amount-note field-error'} aria-live="polite">
        {problem === null ? <Meaning entry={entry} /> : <FirstIcon name="circle-alert" size={22} />}
        {problem !== null && <span>{problem}</span>}
      </p>
      {below}
    </div>
  );

  /** The mark for the first focus. The receipt's number has it while its field is open. */
  function firstMark(): string | undefined {
    if (entry.isReceiptOpen) return undefined;
    return entry.untouched ? '' : 'end';
  }
}

interface UseAllProps {
  readonly entry: Entry;
  readonly onFill: (text: string) => void;
  /** Whether more was entered than the card holds. Then this button is what helps. */
  readonly isOutlined: boolean;
}

/** A button that enters everything that the card holds. */
function UseAll({ entry, onFill, isOutlined }: UseAllProps) {
  const { frame } = useModel();
  const all = wholeBalance(entry.entryFor.card, entry.kind);
  if (all === null) return null;
  return (
    <button
      {...touchClicks}
      type="button"
      class={`button ${isOutlined ? 'button-outline' : 'button-ghost'} use-all`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onFill(all)}
    >
      {frame.words.value.entry.useAll(frame.format.value.digits(all))}
    </button>
  );
}

/** The line below the figure while nothing is wrong: what will be left, or the card's name. */
function Meaning({ entry }: { readonly entry: AmountBoxProps['entry'] }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const { card, hint } = entry.entryFor;
  const read = readEntry(entry.text, entry.kind, noLimits);
  const change = read.ok && !isEarnOperation(entry.operation) ? balanceAfter(card, read.value) : null;
  if (change !== null) {
    return <span data-after="">{words.entry.after(balanceInWords(change.after, words, format))}</span>;
  }
  if (card === null) return <bdi dir="ltr">{hint ?? '\u00a0'}</bdi>;
  const [balance] = balancesMainFirst(card);
  const goal = stampGoalOf(card, frame.till.value?.reward_goals ?? []);
  const name = card.template_name;
  const dot = name === '' ? '' : '· ';
  return (
    <>
      <FirstIcon name="id-card" size={22} />
      <bdi class="cut">{name}</bdi>
      {balance !== undefined && (
        <span class="amount-balance">{dot + balanceInWords(balance, words, format, goal)}</span>
      )}
    </>
  );
}

/**
 * At the end of the head: the PIN that is asked for, else the receipt's number, which stays closed until it is wanted.
 */
export function EntryExtra({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  if (entry.pin !== null) return <AskedPin pin={entry.pin} isReadOnly={entry.busy} />;
  if (entry.isReceiptOpen) return <ReceiptField entry={entry} />;
  return (
    <button
      type="button"
      class="button button-ghost receipt-open"
      data-receipt={entry.receipt}
      onClick={() => sale.turnToReceipt(true)}
    >
      {entry.receipt === '' && <FirstIcon name="plus" size={22} />}
      {numberTitle(entry, words)}
      {entry.receipt !== '' && (
        <bdi dir="ltr" class="cut">
          {entry.receipt}
        </bdi>
      )}
    </button>
  );
}
