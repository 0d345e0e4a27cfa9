import { useLayoutEffect, useState } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { type Received, readStrokes, type Stroke, type Verdict } from './self-test.ts';

/** After this time without a key the scan is read, even when no end key came. */
const silenceMs = 700;

const looks: Readonly<Record<Verdict, { readonly icon: IconName; readonly tone: string }>> = {
  scan: { icon: 'circle-check', tone: 'success' },
  too_slow: { icon: 'triangle-alert', tone: 'warning' },
  too_short: { icon: 'triangle-alert', tone: 'warning' },
  no_ending: { icon: 'triangle-alert', tone: 'warning' },
};

/** Shows what a scanner really sends. It looks up no customer. */
export function ScannerPanel() {
  const words = useWords('diagnostics');
  const received = useStrokes();
  return (
    <>
      <div class="office-card scanner-ready row wrap">
        <span class="tile tile-large tone-waiting">
          <Icon name="scan-line" size={28} />
        </span>
        <div class="two-lines">
          <p class="title">{words.scanner.ready}</p>
          <p class="quiet">{received === null ? words.scanner.readyNext : words.scanner.again}</p>
        </div>
      </div>
      <div role="status">{received !== null && <ReceivedCard received={received} />}</div>
    </>
  );
}

function ReceivedCard({ received }: { readonly received: Received }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  const { verdict, code, length, averageGapMs, longestGapMs, ending, framing } = received;
  const look = looks[verdict];
  const whole = (value: number): string => format.number(Math.round(value));
  return (
    <section class="office-card" data-verdict={verdict}>
      <div class={`notice tone-${look.tone} scanner-verdict`}>
        <Icon name={look.icon} size={24} />
        <span>
          <strong>{words.scanner.verdicts[verdict].title}</strong>
          <span class="notice-line">{words.scanner.verdicts[verdict].next}</span>
        </span>
      </div>
      <dl class="facts">
        <dt>{words.scanner.received}</dt>
        <dd>
          <bdi dir="ltr" class="scanner-code">
            {code}
          </bdi>
        </dd>
        <dt>{words.scanner.length}</dt>
        <dd data-fact="length">{words.scanner.characters(length, format.number(length))}</dd>
        <dt>{words.scanner.pace}</dt>
        <dd data-fact="pace">{words.scanner.paceSays(whole(averageGapMs), whole(longestGapMs))}</dd>
        <dt>{words.scanner.ending}</dt>
        <dd data-fact="ending">{words.scanner.endings[ending]}</dd>
        <dt>{words.scanner.framing}</dt>
        <dd data-fact="framing">
          {framing === '' ? (
            words.scanner.noFraming
          ) : (
            <>
              <bdi dir="ltr" class="scanner-code">
                {framing}
              </bdi>{' '}
              {words.scanner.stripped}
            </>
          )}
        </dd>
      </dl>
    </section>
  );
}

/** The last scan, or keys that were too slow or too few for a scan. */
function useStrokes(): Received | null {
  const { scans, clock } = useModel();
  const [received, setReceived] = useState<Received | null>(null);
  // It listens before the next key, because the first scan may follow at once.
  useLayoutEffect(() => {
    let strokes: readonly Stroke[] = [];
    let cancelSilence = (): void => undefined;
    const read = (): void => {
      cancelSilence();
      const seen = readStrokes(strokes);
      strokes = [];
      if (seen !== null) setReceived(seen);
    };
    const take = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      const isEnding = event.key === 'Enter' || event.key === 'Tab';
      // An Enter or Tab without a scan is a person's, and does what it always does.
      if (isEnding && strokes.length === 0) return;
      if (isEnding || event.key === ' ') event.preventDefault();
      strokes = [...strokes, { key: event.key, atMs: event.timeStamp }];
      cancelSilence();
      if (isEnding) read();
      else cancelSilence = clock.setTimer(read, silenceMs);
    };
    // The scanner's listener hides the last key press of a scan. The key's release can still be seen.
    const onKeyUp = (event: KeyboardEvent): void => {
      if ((event.key === 'Enter' || event.key === 'Tab') && strokes.length > 0) take(event);
    };
    const giveBack = scans.ask(() => undefined);
    window.addEventListener('keydown', take, { capture: true });
    window.addEventListener('keyup', onKeyUp, { capture: true });
    return () => {
      giveBack();
      cancelSilence();
      window.removeEventListener('keydown', take, { capture: true });
      window.removeEventListener('keyup', onKeyUp, { capture: true });
    };
  }, [scans, clock]);
  return received;
}
