import { useModel } from '../../model.ts';
import { acceptsScanAttribute } from '../../scanner/listen.ts';
import type { Entry } from './entry-flow.ts';
import { numberTitle } from './entry-words.ts';

export const receiptFieldId = 'entry-receipt';
export const receiptNoteId = 'entry-receipt-note';

/**
 * The receipt's number, typed or scanned from the receipt. It is part of the first load: the field must be there at
 * once, so that the next key is not lost.
 */
export function ReceiptField({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const isWrong = entry.receiptProblem !== null;
  return (
    <div class="receipt receipt-inline">
      <label class="field-label" for={receiptFieldId}>
        {numberTitle(entry, frame.words.value)}
      </label>
      <input
        id={receiptFieldId}
        class="text-input"
        type="text"
        inputMode="none"
        autoComplete="off"
        spellcheck={false}
        dir="ltr"
        data-first={isWrong ? '' : 'end'}
        data-types-here=""
        {...{ [acceptsScanAttribute]: '' }}
        readOnly={entry.busy}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? receiptNoteId : undefined}
        value={entry.receipt}
        onInput={(event) => sale.typeReceipt(event.currentTarget.value)}
      />
    </div>
  );
}
