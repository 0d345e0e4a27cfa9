import { LinkLost } from './components/link-lost.tsx';
import { loadLater } from './components/load-later.tsx';
import { TopBar } from './components/top-bar.tsx';
import { SaleScreen } from './screens/sale/sale-screen.tsx';
import type { Screen } from './state/frame.ts';
import { useModel } from './state/model.ts';

const ActivityScreen = loadLater(() =>
  import('./screens/activity/activity-screen.tsx').then((module) => module.ActivityScreen),
);
const AttentionScreen = loadLater(() =>
  import('./screens/attention/attention-screen.tsx').then((module) => module.AttentionScreen),
);

/** The frame: the bar that is always there, and one screen. */
export function App() {
  const { frame, sale, enroll } = useModel();
  const isLost = frame.link.value !== 'open';
  const hasDialog = sale.entry.value !== null || enroll.enrollment.value !== null;
  return (
    <div class="app" data-link={frame.link.value}>
      <TopBar />
      <div class="app-body">
        {/* An open dialog says itself that the agent is gone, and keeps what was typed. */}
        {frame.screen.value === 'sale' ? (
          <SaleScreen inert={(isLost || frame.till.value === null) && !hasDialog} />
        ) : (
          <OtherScreen screen={frame.screen.value} />
        )}
        {isLost && <LinkLost />}
      </div>
    </div>
  );
}

function OtherScreen({ screen }: { readonly screen: Exclude<Screen, 'sale'> }) {
  switch (screen) {
    case 'attention':
      return <AttentionScreen />;
    case 'activity':
      return <ActivityScreen />;
  }
}
