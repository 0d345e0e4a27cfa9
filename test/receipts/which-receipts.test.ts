import { expect, test } from 'vitest';
import { receiptOf } from '../../app/receipts/receipt.ts';
import { receiptFacts } from '../../app/receipts/receipt-facts.ts';
import { ReceiptPrinter } from '../../app/receipts/receipt-printer.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import { operationView } from '../../app/till/operation-view.ts';
import { receiptHandlers } from '../../app/till/receipts.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { operationIntents } from '../../shared/machines/operation-intents.ts';
import { canPrintReceipt } from '../../shared/till/receipt-standing.ts';
import { FakeCore } from '../support/fake-core.ts';
import { fakeOperation } from '../support/fake-records.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Every kind of operation in every state, delivered in either way, with each decision. */
const everyOperation: readonly Operation[] = operationIntents.flatMap((intent) =>
  operationStates.flatMap((state) =>
    (['deferred', 'immediate'] as const).flatMap((delivery) =>
      ([null, 'take_full_payment', 'give_it'] as const).map((decision) =>
        fakeOperation({ intent, state, delivery, decision }),
      ),
    ),
  ),
);
const core = () => new FakeCore({ printer: { address: '127.0.0.1:1' } });
const named = ({ intent, state, decision }: Operation) => `${intent} ${state}${decision === null ? '' : ' decided'}`;
const namesOf = (operations: readonly Operation[]) => new Set(operations.map(named));

test('the screen offers a receipt of what has one alone, and of a redemption of unknown outcome after the decision', () => {
  const printed = core();
  const offered = everyOperation.filter((operation) => canPrintReceipt(operationView(operation)));
  const made = everyOperation.filter((operation) => receiptOf(receiptFacts(printed, operation, 'R-1'), 'en') !== null);
  const undecided = ['redeem sending', 'redeem unknown'];
  expect([...namesOf(offered)]).toEqual([...namesOf(made)].filter((name) => !undecided.includes(name)));
  const states = (intent: Operation['intent']) =>
    [...namesOf(made.filter((one) => one.intent === intent && one.decision === null))].map(
      (name) => name.split(' ')[1],
    );
  const ofRedemption = ['queued', 'sending', 'unknown', 'accepted', 'applied', 'reversed'];
  expect(states('redeem')).toEqual(ofRedemption);
  expect(states('commit')).toEqual(ofRedemption);
  expect(states('earn')).toEqual([...ofRedemption.slice(0, 5), 'cancelled', 'reversed']);
  expect(new Set(made.map(({ intent }) => intent))).toEqual(new Set(['earn', 'redeem', 'commit']));
});

test('printing what has no receipt is answered so, and no printer is asked', async () => {
  const printed = core();
  const faults: unknown[] = [];
  const printer = new ReceiptPrinter(
    printed,
    new ManualClock(),
    (fault) => faults.push(fault),
    () => Promise.reject(new Error('Something is printed')),
  );
  const handlers = receiptHandlers(
    printed,
    async () => printer,
    (fault) => faults.push(fault),
  );
  const print = (operation: Operation) => {
    printed.operationById = () => operation;
    return handlers['receipt.print']({ print_id: crypto.randomUUID(), operation_id: 'op-1' });
  };
  for (const operation of everyOperation) {
    if (receiptOf(receiptFacts(printed, operation, 'R-1'), 'en') !== null) continue;
    const message = 'The operation was not done: it has no receipt.';
    expect(await print(operation)).toEqual({ ok: false, error: { code: 'not_now', message } });
  }
  expect(faults).toEqual([]);
});
