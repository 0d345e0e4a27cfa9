import { useRef } from 'preact/hooks';
import { useLead } from '../components/asking.ts';
import { PinField } from '../components/form-field.tsx';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { acceptsScanAttribute } from '../scanner/listen.ts';
import type { Entry } from './entry-flow.ts';
import { numberTitle } from './entry-words.ts';

export const receiptFieldId = 'entry-receipt';

/** What is asked for beside the amount: a manager's PIN, or the receipt's number. */
export function AskedField({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const root = useRef<HTMLDivElement>(null);
  // It comes a moment after the entry has asked for it.
  useLead(root, { step: '', mistake: 'comes' });
  return (
    <div ref={root} class="asked-field">
      {entry.pin === null ? (
        <ReceiptField entry={entry} />
      ) : (
        <PinField
          id="entry-pin"
          label={frame.words.value.entry.pin}
          value={entry.pin}
          isReadOnly={entry.busy}
          onInput={sale.typePin}
          typesHere
        />
      )}
    </div>
  );
}

/** The receipt's number: typed, or scanned from the receipt itself. */
function ReceiptField({ entry }: { readonly entry: Entry }) {
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
    <div class="receipt receipt-inline">
      <label class="field-label" for={receiptFieldId}>
        {numberTitle(entry, words)}
      </label>
      <input
        id={receiptFieldId}
        class="text-input"
        type="text"
        inputMode="none"
        autoComplete="off"
        spellcheck={false}
        dir="ltr"
        data-first={problem === null ? 'end' : ''}
        data-types-here=""
        {...{ [acceptsScanAttribute]: '' }}
        readOnly={entry.busy}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : 'entry-receipt-note'}
        value={entry.receipt}
        onInput={(event) => sale.typeReceipt(event.currentTarget.value)}
      />
      {problem !== null && (
        <p id="entry-receipt-note" class="field-note field-error" role="alert">
          <Icon name="circle-alert" size={22} />
          {problem}
        </p>
      )}
    </div>
  );
}
