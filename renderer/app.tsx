import { useLayoutEffect } from 'preact/hooks';
import { loadLater } from './components/load-later.tsx';
import { LinkLost } from './frame/link-lost.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { useModel } from './model.ts';
import { SaleScreen } from './sale/sale-screen.tsx';
import { type LaterScreen, laterScreen } from './screens.ts';

const Notices = loadLater(
  () => import('./frame/notices.tsx'),
  (module) => module.Notices,
  'notices',
);
const WhoSells = loadLater(
  () => import('./frame/who-sells.tsx'),
  (module) => module.WhoSells,
);

const HelpDialog = loadLater(
  () => import('./guide/help-dialog.tsx'),
  (module) => module.HelpDialog,
  'guide',
);
const ShiftBar = loadLater(
  () => import('./guide/shift-bar.tsx'),
  (module) => module.ShiftBar,
  'guide',
);

// It is seen only once in a till's life, so it is not part of the first load.
const FirstRun = loadLater(
  () => import('./first-run/first-run.tsx'),
  (module) => module.FirstRun,
  'first-run',
);

/** The bar that is always shown, and one screen below it. */
export function App() {
  const { frame, sale, enroll, cashier, guide } = useModel();
  const asking = cashier.asking.value;
  const isLost = frame.link.value !== 'open';
  const hasDialog = sale.entry.value !== null || enroll.enrollment.value !== null;
  const other = laterScreen(frame.screen.value, frame.till.value);
  const asksMode = other === null && frame.till.value?.asks_mode === true;
  const notices = frame.till.value !== null && frame.till.value.notices.length > 0 && <Notices />;
  return (
    <div
      class="app stack"
      data-link={frame.link.value}
      data-shut={frame.till.value?.sign_in ?? undefined}
      data-sale={other === null && !asksMode ? '' : undefined}
    >
      <TopBar />
      <div class="app-body">
        {/* An open dialog or entry itself says that the agent is gone, and keeps what was typed. */}
        {asksMode ? (
          <FirstRun />
        ) : other === null ? (
          <SaleScreen inert={(isLost || frame.till.value === null) && !hasDialog}>{notices}</SaleScreen>
        ) : (
          <OtherScreen key={other.name} screen={other} />
        )}
        {isLost && (other !== null || sale.entry.value === null) && <LinkLost />}
      </div>
      {guide.shift.value !== null && frame.till.value?.lab != null && <ShiftBar shift={guide.shift.value} />}
      {(other !== null || asksMode) && notices}
      {guide.isHelpOpen.value && <HelpDialog />}
      <p class="switch-note" role="status">
        {cashier.switchedTo.value !== null && frame.words.value.cashier.sellsNow(cashier.switchedTo.value)}
      </p>
      {asking !== null && <WhoSells key={frame.till.value?.sign_in ?? 'asked'} asking={asking} />}
    </div>
  );
}

const closedByEscapeFirst = 'dialog, :popover-open, input:focus, select:focus, textarea:focus';

function OtherScreen({ screen }: { readonly screen: LaterScreen }) {
  const { frame } = useModel();
  // A layout effect runs before the screen is seen, so that even an early Escape leaves it.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector(closedByEscapeFirst) !== null) return;
      frame.show('sale');
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [frame]);
  return <screen.component />;
}
