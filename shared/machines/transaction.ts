import type { TransactionStatus } from '../contract/transaction.ts';
import type { Machine } from './machine.ts';

export type TransactionEvent = 'process' | 'succeed' | 'fail' | 'reverse';

/** Spec "Transaction status"; processing, failed and reversed as in the decisions ("Transactions"). */
export const transactionMachine: Machine<TransactionStatus, TransactionEvent> = {
  pending: { process: 'processing', succeed: 'success', fail: 'failed' },
  processing: { succeed: 'success', fail: 'failed' },
  success: { reverse: 'reversed' },
  failed: {},
  reversed: {},
};
