import { cashierSumNames, cashierSums } from '../../shared/till/cashier-sums.ts';
import type { CashierDayView } from '../../shared/till/day-views.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { sumsInWords } from '../operation/sums-in-words.ts';

/** The day's figures for each cashier. Shown only where cashiers sign in. */
export function CashierTable({ cashiers }: { readonly cashiers: readonly CashierDayView[] }) {
  const { frame } = useModel();
  const own = useWords('day-close');
  if (cashiers.every(({ employee_ref }) => employee_ref === null)) return null;
  return (
    <section class="day-panel panel stack gap-3" data-part="cashiers" aria-label={own.byCashier}>
      <h3 class="day-part-title">{own.byCashier}</h3>
      <p class="day-note">{own.byCashierNote}</p>
      <table class="day-table">
        <thead>
          <tr>
            <th scope="col">{own.cashier}</th>
            {cashierSumNames.map((name) => (
              <th key={name} scope="col">
                {own.sums[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cashiers.map((cashier) => {
            const sums = cashierSums(cashier);
            return (
              <tr key={cashier.employee_ref} data-cashier-ref={cashier.employee_ref ?? ''}>
                <th scope="row">
                  <bdi>{cashier.name ?? cashier.employee_ref ?? own.nobody}</bdi>
                </th>
                {cashierSumNames.map((name) => (
                  <td key={name} data-sum={name}>
                    <Sum sum={sumsInWords(sums[name], frame.words.value, frame.format.value)} none={own.nothing} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Sum({ sum, none }: { readonly sum: string | null; readonly none: string }) {
  if (sum !== null) return <bdi>{sum}</bdi>;
  return (
    <span class="day-none">
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">{none}</span>
    </span>
  );
}
