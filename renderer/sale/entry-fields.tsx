import { Icon } from '../components/icon.tsx';
import { balanceInWords } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { acceptsScanAttribute } from '../scanner/listen.ts';
import { balanceAfter } from './balances.ts';
import { decimalsOf, echoOf, type NumberKind, noLimits, readEntry } from './entry.ts';
import type { Entry } from './entry-flow.ts';
import { isEarnOperation } from './operations.ts';
import { BalanceAfter, UseAll } from './spend-fields.tsx';

/** An entry of a number; the others have no field for one. */
type NumberEntry = Entry & { readonly kind: NumberKind };

interface AmountFieldProps {
  readonly entry: NumberEntry;
  readonly onType: (text: string) => void;
}

/** How much: what was typed, and above it what it will be saved as. */
export function AmountField({ entry, onType }: AmountFieldProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  const problem = problemWords();
  const isSpend = !isEarnOperation(entry.operation);
  return (
    <div class={problem === null ? 'amount panel stack gap-2' : 'amount amount-wrong panel stack gap-2'}>
      <Echo entry={entry} />
      <div class="row gap-3">
        <label class="field-label" for="entry-amount">
          {words.labels[entry.kind.unit]}
        </label>
        <input
          id="entry-amount"
          class="amount-input"
          data-first={entry.untouched ? '' : 'end'}
          type="text"
          inputMode="none"
          autoComplete="off"
          dir="ltr"
          maxLength={40}
          readOnly={entry.busy || entry.pin !== null}
          aria-invalid={problem !== null}
          aria-describedby="entry-amount-note"
          onClick={sale.backToAmount}
          value={frame.format.value.digits(entry.text)}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      </div>
      <div class="amount-below split gap-3">
        {problem === null && isSpend ? (
          <BalanceAfter id="entry-amount-note" entry={entry} />
        ) : (
          <p
            id="entry-amount-note"
            class={problem === null ? 'field-note' : 'field-note field-error'}
            aria-live="polite"
          >
            {problem !== null && <Icon name="circle-alert" size={18} />}
            {problem ?? limitNote()}
          </p>
        )}
        {isSpend && <UseAll entry={entry} onType={onType} />}
      </div>
    </div>
  );

  function limitWords(): string | null {
    const limits = frame.till.value?.limits;
    if (limits === undefined || entry.kind.unit !== 'money' || !isEarnOperation(entry.operation)) return null;
    return frame.format.value.money(limits.max_amount_minor, entry.kind.currency);
  }

  function limitNote(): string {
    const limit = limitWords();
    return limit === null ? '\u00a0' : words.upTo(limit);
  }

  function problemWords(): string | null {
    if (entry.problem === 'above_limit') return words.aboveLimit(limitWords() ?? '');
    if (entry.problem === 'above_balance') {
      const read = readEntry(entry.text, entry.kind, noLimits);
      const change = read.ok ? balanceAfter(entry.entryFor.card, read.value) : null;
      if (change !== null)
        return words.onlyOnCard(balanceInWords(change.before, frame.words.value, frame.format.value));
    }
    if (entry.problem === 'too_many_decimals') {
      const decimals = decimalsOf(entry.kind);
      return decimals === 0
        ? words.problems.whole_number_only
        : words.tooManyDecimals(frame.format.value.number(decimals));
    }
    return entry.problem === null ? null : words.problems[entry.problem];
  }
}

/** The amount as it will be saved, in all its decimals; those that were not typed stand back. */
function Echo({ entry }: { readonly entry: NumberEntry }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const { digits } = frame.format.value;
  const { kind, text } = entry;
  if (kind.unit !== 'money') {
    return (
      <output class="echo" for="entry-amount">
        <bdi class="echo-value">{text === '' ? digits('0') : digits(text)}</bdi>
        <span class="echo-unit">{words.balanceUnits[kind.unit](Number(text))}</span>
      </output>
    );
  }
  const echo = echoOf(text, kind);
  return (
    <output class="echo" for="entry-amount" dir="ltr">
      <span class="echo-unit">{kind.currency}</span>
      <bdi class="echo-value">
        {echo === null ? '\u2013' : digits(echo.typed)}
        {echo !== null && <span class="echo-implied">{digits(echo.implied)}</span>}
      </bdi>
    </output>
  );
}

/** The receipt's number: typed, or scanned from the receipt itself. */
export function ReceiptField({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const taken = words.errors.reference_taken;
  const problem =
    entry.receiptProblem === null
      ? null
      : entry.receiptProblem === 'taken'
        ? `${taken.title}. ${taken.next}`
        : words.entry.receiptTooLong;
  return (
    <div class="receipt">
      <label class="field-label" for="entry-receipt">
        {words.entry.receipt}
      </label>
      <input
        id="entry-receipt"
        class="text-input"
        type="text"
        autoComplete="off"
        spellcheck={false}
        dir="auto"
        // While a PIN is asked for, a burst of digits may be one.
        {...(entry.pin === null ? { [acceptsScanAttribute]: '' } : {})}
        readOnly={entry.busy}
        aria-invalid={problem !== null}
        aria-describedby="entry-receipt-note"
        value={entry.receipt}
        onInput={(event) => sale.typeReceipt(event.currentTarget.value)}
      />
      <p id="entry-receipt-note" class={problem === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
        {problem !== null && <Icon name="circle-alert" size={18} />}
        {problem ?? words.entry.receiptHint}
      </p>
    </div>
  );
}
