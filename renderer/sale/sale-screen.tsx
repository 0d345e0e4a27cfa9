import type { ComponentChildren } from 'preact';
import { noteTyped, stopForClosed } from '../components/asking.ts';
import { loadLater } from '../components/load-later.tsx';
import { FindPanel } from '../find/find-panel.tsx';
import { useModel } from '../model.ts';
import { RecentPanel } from '../recent/recent-panel.tsx';
import { ActPanel } from './act-panel.tsx';
import { CustomerPanel } from './customer/customer-panel.tsx';

const EnrollDialog = loadLater(
  () => import('../enroll/enroll-dialog.tsx'),
  (module) => module.EnrollDialog,
  'enroll',
);

interface SaleScreenProps {
  readonly inert: boolean;
  /** The notices, which have a place of their own here. */
  readonly children: ComponentChildren;
}

/** The sale screen: the find box, the customer, the operations, and the outcome. */
export function SaleScreen({ inert, children }: SaleScreenProps) {
  const { frame, sale, enroll } = useModel();
  const enrollment = enroll.enrollment.value;
  return (
    <main
      class="sale"
      data-screen="sale"
      data-stage={sale.stage.value.kind}
      inert={inert}
      onKeyDownCapture={stopForClosed}
      onInputCapture={noteTyped}
    >
      <h1 class="visually-hidden">{frame.words.value.screens.sale}</h1>
      <FindPanel />
      <CustomerPanel />
      <ActPanel />
      <RecentPanel />
      {children}
      {enrollment !== null && <EnrollDialog enrollment={enrollment} />}
    </main>
  );
}
