import { FirstIcon } from '../../components/first-icon.tsx';
import { useModel } from '../../model.ts';
import { acceptsScanAttribute } from '../../scanner/listen.ts';
import type { Entry } from './entry-flow.ts';
import { numberTitle } from './entry-words.ts';

export const receiptFieldId = 'entry-receipt';

/**
 * The receipt's number, typed or scanned from the receipt. It is part of the first load: the field must be there at
 * once, so that the next key is not lost.
 */
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
          <FirstIcon name="circle-alert" size={22} />
          {problem}
        </p>
      )}
    </div>
  );
}
