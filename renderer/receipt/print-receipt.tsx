import { useState } from 'preact/hooks';
import { canPrintReceipt } from '../../shared/till/receipt-standing.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

type Printing = 'no' | 'busy' | 'printed' | 'not_printed' | 'unknown' | 'failed';

/** The button that prints an operation's receipt, on a till with a printer. */
export function PrintReceipt({ operation }: { readonly operation: OperationView }) {
  const { api, newId } = useModel();
  const words = useWords('receipt');
  const [printing, setPrinting] = useState<Printing>('no');
  if (!canPrintReceipt(operation)) return null;
  const print = async (): Promise<void> => {
    setPrinting('busy');
    const reply = await api.call('receipt.print', { print_id: newId(), operation_id: operation.operation_id });
    // When the answer is lost, the receipt may have been printed.
    if (reply.ok) setPrinting(reply.value.outcome);
    else setPrinting(reply.error.code === 'agent_gone' ? 'unknown' : 'failed');
  };
  const status = {
    no: null,
    busy: words.printing,
    printed: words.printed,
    not_printed: words.notPrinted,
    unknown: words.unknown,
    failed: words.failed,
  }[printing];
  return (
    <div class="print-receipt">
      <button
        type="button"
        class="button button-outline"
        data-printing={printing}
        disabled={printing === 'busy'}
        onClick={() => void print()}
      >
        <Icon name="receipt-text" />
        {words.print}
      </button>
      <p class="print-told" role="status">
        {status}
      </p>
    </div>
  );
}
