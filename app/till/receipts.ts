import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { receiptCommands } from '../../shared/till/receipt-commands.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { ReceiptPrinter } from '../receipts/receipt-printer.ts';
import { command, type Handlers } from './command.ts';
import { failed, noSuchOperation, succeeded } from './replies.ts';

/** The printer's side, loaded with the first receipt, because most tills have no printer. */
export function lazyPrinter(
  core: AgentCore,
  clock: Clock,
  onFault: (error: unknown) => void,
): () => Promise<ReceiptPrinter> {
  let loading: Promise<ReceiptPrinter> | null = null;
  return () =>
    (loading ??= import('../receipts/receipt-printer.ts')
      .then((made) => new made.ReceiptPrinter(core, clock, onFault))
      .catch((error: unknown) => {
        // The next press tries again.
        loading = null;
        throw error;
      }));
}

export function receiptHandlers(
  core: Pick<AgentCore, 'operationById'>,
  printer: () => Promise<Pick<ReceiptPrinter, 'print'>>,
  onFault: (error: unknown) => void,
): Handlers<keyof typeof receiptCommands> {
  return {
    'receipt.print': command(receiptCommands['receipt.print'], async ({ print_id, operation_id }) => {
      const operation = core.operationById(operation_id);
      if (operation === null) return noSuchOperation;
      const loaded = await printer().catch((error: unknown) => {
        onFault(error);
        return null;
      });
      // No byte was sent.
      if (loaded === null) return succeeded({ outcome: 'not_printed' });
      const { kind } = await loaded.print(print_id, operation);
      switch (kind) {
        case 'done':
          return succeeded({ outcome: 'printed' });
        case 'refused':
          return succeeded({ outcome: 'not_printed' });
        case 'unknown':
          return succeeded({ outcome: 'unknown' });
        case 'no_printer':
          return failed('not_now', 'The setting printer.address names no printer.');
        case 'no_receipt':
          return failed('not_now', 'The operation was not done: it has no receipt.');
        case 'busy':
          return failed('not_now', 'The printer is printing another receipt.');
        default:
          return assertNever(kind);
      }
    }),
  };
}
