import { useEffect, useRef } from 'preact/hooks';
import type { ConnectionLine } from '../../shared/till/connection-check.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';

const looks: Readonly<Record<ConnectionLine['tone'], { readonly icon: IconName; readonly tone: string }>> = {
  well: { icon: 'circle-check', tone: 'success' },
  warning: { icon: 'triangle-alert', tone: 'warning' },
  problem: { icon: 'circle-alert', tone: 'danger' },
  not_known: { icon: 'circle-help', tone: 'neutral' },
};

/** Tests the connection with one request. It says what the answer proves of each part, with one next step. */
export function ConnectionTestPanel() {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const test = settings.test.value;
  const result = useRef<HTMLDivElement>(null);
  const lines = test?.busy === false ? test.lines : null;
  useEffect(() => {
    if (lines !== null) result.current?.scrollIntoView({ block: 'nearest' });
  }, [lines]);
  return (
    <section class="office-card connection-test" aria-labelledby="connection-test">
      <div class="connection-test-head">
        <div class="two-lines">
          <h3 id="connection-test" class="office-label">
            {words.test.title}
          </h3>
          <p class="office-note">{words.test.about}</p>
        </div>
        <button
          type="button"
          class="button button-outline"
          aria-disabled={test?.busy === true}
          onClick={() => void settings.testConnection()}
        >
          <Icon name="plug-zap" />
          {test?.busy === true ? words.test.running : words.test.start}
        </button>
      </div>
      <div role="status" class="connection-result" ref={result}>
        {test?.busy === true && <span class="connection-progress" aria-hidden="true" />}
        {test?.isRefused === true && (
          <p class="field-note field-error">
            <Icon name="circle-alert" size={16} />
            {words.test.refused}
          </p>
        )}
        {test?.failure != null && (
          <p class="field-note field-error">
            <Icon name="triangle-alert" size={16} />
            {frame.words.value.errors[test.failure.code].title}
          </p>
        )}
        {test !== null && test.lines !== null && (
          <ul class="connection-lines" data-old={test.busy}>
            {test.lines.map((line) => (
              <Line key={line.check} line={line} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Line({ line }: { readonly line: ConnectionLine }) {
  const { frame } = useModel();
  const { words } = useSettings();
  const format = frame.format.value;
  const look = looks[line.tone];
  const verdict = words.test.verdicts[line.verdict];
  const measure =
    line.seconds === null
      ? words.test.milliseconds(format.number(line.milliseconds ?? 0))
      : words.test.seconds(line.seconds, format.number(line.seconds));
  const next: string | undefined = Object.entries(words.test.next).find(([name]) => name === line.verdict)?.[1];
  return (
    <li class="connection-line list-row" data-check={line.check} data-verdict={line.verdict}>
      <span class={`tile tone-${look.tone}`}>
        <Icon name={look.icon} />
        <span class="visually-hidden">{words.test.tones[line.tone]}</span>
      </span>
      <span class="connection-check">{words.test.checks[line.check]}</span>
      <span class="stack">
        <span>{typeof verdict === 'function' ? verdict(measure) : verdict}</span>
        {next !== undefined && <span class="connection-next">{next}</span>}
        {line.detail !== null && (
          <bdi dir="ltr" class="ref connection-detail">
            {line.detail}
          </bdi>
        )}
      </span>
    </li>
  );
}
