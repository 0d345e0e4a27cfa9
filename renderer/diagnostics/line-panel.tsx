import type { Diagnosis, LineEntry } from '../../shared/till/diagnostics-commands.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { connectionLooks } from '../frame/connection-looks.ts';
import { useModel } from '../model.ts';
import type { Tone } from '../operation/outcome.ts';

const looks: Readonly<Record<LineEntry['state'], { readonly icon: IconName; readonly tone: Tone }>> = {
  ...connectionLooks,
  started: { icon: 'play', tone: 'neutral' },
};

/** The connection now and before: each change with its time and its cause. */
export function LinePanel({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  const { connection, service_address: address, last_answer_at: lastAnswer, line } = diagnosis;
  const when = (instant: string): string => format.dateTime(Date.parse(instant));
  const look = looks[connection.state];
  return (
    <>
      <section class="office-card line-now row wrap" data-now={connection.state}>
        <span class={`tile tile-large tone-${look.tone}`}>
          <Icon name={look.icon} size={28} />
        </span>
        <div class="line-now-text">
          <p class="title">{words.line.states[connection.state]}</p>
          <p class="quiet">{words.line.since(when(connection.since))}</p>
          {connection.waits_until !== undefined && (
            <p data-waits-until={connection.waits_until}>{words.line.waitsUntil(when(connection.waits_until))}</p>
          )}
          {connection.look_ups_wait_until !== undefined && (
            <p data-look-ups-wait-until={connection.look_ups_wait_until}>
              {words.line.lookUpsWaitUntil(when(connection.look_ups_wait_until))}
            </p>
          )}
          {connection.cause !== null && <p>{words.line.causes[connection.cause]}</p>}
        </div>
        <dl class="facts facts-plain">
          <dt>{words.line.address}</dt>
          <dd>{address === null ? words.line.builtIn : <bdi dir="ltr">{address}</bdi>}</dd>
          <dt>{words.line.lastAnswer}</dt>
          <dd>{lastAnswer === null ? words.line.noAnswer : when(lastAnswer)}</dd>
        </dl>
      </section>
      <section class="office-card" aria-labelledby="line-history">
        <div class="office-list-head">
          <h3 id="line-history" class="office-label">
            {words.line.history}
          </h3>
        </div>
        {line.length === 0 ? (
          <p class="hollow">
            <strong>{words.line.emptyTitle}</strong>
            {words.line.emptyNext}
          </p>
        ) : (
          <ol class="line-list">
            {line.map((entry, index) => (
              <li key={`${entry.at} ${line.length - index}`} class="line-entry" data-line={entry.state}>
                <time class="line-time" dateTime={entry.at}>
                  {format.exactTime(Date.parse(entry.at))}
                </time>
                <span class={`tile line-tile tone-${looks[entry.state].tone}`}>
                  <Icon name={looks[entry.state].icon} size={16} />
                </span>
                <span class="line-said">
                  <strong>{words.line.states[entry.state]}</strong>
                  {entry.cause !== null && <span class="quiet">{words.line.causes[entry.cause]}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  );
}
