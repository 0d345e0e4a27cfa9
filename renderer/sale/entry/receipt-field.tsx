import { maxReceiptNumberLength } from '../../../shared/till/limits.ts';
import { FirstIcon } from '../../components/first-icon.tsx';
import { useModel } from '../../model.ts';
import { acceptsScanAttribute } from '../../scanner/listen.ts';
import type { Entry } from './entry-flow.ts';
import { numberTitle } from './entry-words.ts';

export const receiptFieldId = 'entry-receipt';
const receiptNoteId = 'entry-receipt-note';

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

/** What is wrong with the number. It stands with the other notes: beside the field it would cover the amount or the keys. */
export function ReceiptNote({ problem }: { readonly problem: 'taken' | 'too_long' }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const taken = words.errors.reference_taken;
  return (
    <p id={receiptNoteId} class="notice tone-danger" role="alert">
      <FirstIcon name="circle-alert" size={24} />
      <span>
        {problem === 'taken' ? (
          <>
            <strong>{taken.title}.</strong> <span class="notice-line">{taken.next}</span>
          </>
        ) : (
          words.entry.receiptTooLong(frame.format.value.number(maxReceiptNumberLength))
        )}
      </span>
    </p>
  );
}
