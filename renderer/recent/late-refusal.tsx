import type { OperationView } from '../../shared/till/views.ts';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { operationAmount, operationCustomer, refusalAdvice } from '../operation/operation-words.ts';

/** Tells a screen reader that an earlier sale was refused. On the screen its row and the top bar show it. */
export function LateRefusal() {
  const { frame, recent, sale } = useModel();
  const operation = recent.lateRefusal.value;
  const isInFront = sale.outcome.value?.operation.operation_id === operation?.operation_id;
  return (
    <p class="visually-hidden" role="status">
      {operation !== null && !isInFront && lateRefusalAloud(operation, frame.words.value, frame.format.value)}
    </p>
  );
}

function lateRefusalAloud(operation: OperationView, words: Words, format: Format): string {
  const { title, next } = refusalAdvice(operation.error, words.refusals, { hasOther: false });
  const what = `${operationAmount(operation, words, format)}, ${operationCustomer(operation, words)}`;
  return [words.states[operation.state].title, what, title, next].join('. ');
}
