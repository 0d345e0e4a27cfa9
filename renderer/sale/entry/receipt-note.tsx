import { maxReceiptNumberLength } from '../../../shared/till/limits.ts';
import { FirstIcon } from '../../components/first-icon.tsx';
import { useModel } from '../../model.ts';
import { receiptNoteId } from './receipt-field.tsx';

/** What is wrong with the receipt's number. It stands with the other notes: beside the field it would cover the amount or the keys. */
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
