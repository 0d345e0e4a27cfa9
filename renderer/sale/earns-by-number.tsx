import { cardOperationTable } from '../../shared/contract/card-names.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import type { EarnOperation } from '../operation/operations.ts';

/** The earns that are offered when only the card's number is known. The service decides whether the card can earn. */
const byNumberOperations: readonly EarnOperation[] = ['earn_amount', 'earn_stamp', 'earn_visit'];

export function EarnsByNumber() {
  return (
    <div class="operation-list stack gap-2">
      {byNumberOperations.map((operation) => (
        <EarnByNumber key={operation} operation={operation} />
      ))}
    </div>
  );
}

function EarnByNumber({ operation }: { readonly operation: EarnOperation }) {
  const { frame, sale } = useModel();
  return (
    <button
      type="button"
      class="operation operation-earn row gap-3"
      data-operation={operation}
      onClick={() => sale.openByCardNumber(operation)}
    >
      <span class="operation-icon">
        <Icon name={cardOperationTable[operation].icon} size={26} />
      </span>
      <span class="operation-name">{frame.words.value.operations.names[operation]}</span>
    </button>
  );
}
