import { hourMs } from '../../shared/lib/durations.ts';
import { attentionStates } from '../../shared/machines/operation.ts';
import { localeTable, otherLocale } from '../../shared/till/locales.ts';
import { unsentCount } from '../../shared/till/unsent-count.ts';
import type { ConnectionState, TillState } from '../../shared/till/views.ts';
import { FirstIcon } from '../components/first-icon.tsx';
import { durationInWords } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { connectionLooks } from './connection-looks.ts';
import { labInWords } from './lab-words.ts';
import { Mark } from './mark.tsx';
import { ScreenMenu } from './screen-menu.tsx';

/** What is always on the screen: the shop, whether sales reach the service, how many wait, and the time. */
export function TopBar() {
  const { frame } = useModel();
  const words = frame.words.value;
  const till = frame.till.value;
  return (
    <header class="top">
      {till?.mode === 'sandbox' && (
        <p class="sandbox-banner row gap-3">
          <strong>{words.frame.sandbox}</strong>
          <span class="sandbox-detail">{words.frame.sandboxDetail}</span>
          <LabChip till={till} />
        </p>
      )}
      <div class="top-bar row gap-5">
        <div class="brand row gap-3">
          <Mark />
          <span class="brand-device" data-cashier={till?.cashier?.employee_ref}>
            <bdi class="brand-name">{till?.device_name ?? '\u00a0'}</bdi>
            {till !== null && till.cashier !== null && (
              <>
                <span aria-hidden="true">·</span>
                <bdi>{till.cashier.name}</bdi>
              </>
            )}
          </span>
        </div>
        <ConnectionStatus till={till} />
        {till !== null && <Queue till={till} />}
        <time class="top-clock" title={words.frame.time}>
          {till === null ? '' : frame.format.value.time(frame.nowMs.value)}
        </time>
        <LanguageSwitch />
        {till !== null && <ScreenMenu till={till} />}
      </div>
    </header>
  );
}

/** What was changed in the sandbox controls, so that nobody wonders why sales do not get through. */
function LabChip({ till }: { readonly till: TillState }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const text = labInWords(till, words, frame.format.value);
  if (text === null) return null;
  return (
    <button type="button" class="lab-chip" data-lab="turned" onClick={() => frame.show('lab')}>
      <FirstIcon name="flask-conical" size={16} />
      {text}
    </button>
  );
}

function ConnectionStatus({ till }: { readonly till: TillState | null }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const isLinked = frame.link.value === 'open' && till !== null;
  const state = isLinked ? till.connection.state : 'checking';
  // The connection works, but sending is paused because many operations in a row were refused for one reason.
  const isHeld = isLinked && state === 'online' && till.connection.cause === 'refused';
  const look = isLinked
    ? { ...connectionLooks[state], ...(isHeld ? { tone: 'warning' as const } : {}) }
    : ({ icon: 'plug-zap', tone: 'warning' } as const);
  const title = isLinked
    ? words.connection[state].title(frame.format.value.when(Date.parse(till.connection.since), frame.nowMs.value))
    : words.frame[frame.link.value === 'lost' ? 'reconnecting' : 'starting'];
  return (
    <div
      class="connection row gap-3"
      role="status"
      aria-label={words.frame.connection}
      data-connection={isLinked ? state : 'reconnecting'}
    >
      <span class={`tile tone-${look.tone}`}>
        <FirstIcon name={look.icon} />
      </span>
      <div class="two-lines">
        <span class="line-main">{title}</span>
        {/* When all is well, the screen needs only one word. */}
        <span class={state === 'online' && !isHeld ? 'visually-hidden' : 'line-quiet'}>
          {isLinked ? nextStep(till, state) : words.frame.reconnectingNext}
        </span>
      </div>
    </div>
  );

  function nextStep(shown: TillState, at: ConnectionState): string {
    if (isHeld) return words.frame.held;
    // The connection has been away for so long that somebody has to act.
    const isUrgent = at === 'offline' && isWindowNearlyOver(shown, frame.serviceNowMs.value);
    return isUrgent ? words.frame.nearlyTooOld : words.connection[at].next;
  }
}

/**
 * The age of the oldest sale that is still to be sent, by the clock of the service, which decides whether it is too old;
 * null: there is none.
 */
function oldestAgeMs({ window }: TillState, serviceNowMs: number): number | null {
  return window.ends_at === null ? null : serviceNowMs - Date.parse(window.ends_at) + window.hours * hourMs;
}

/** Whether three quarters of the time have passed in which the service accepts the oldest sale. */
function isWindowNearlyOver(till: TillState, serviceNowMs: number): boolean {
  return (oldestAgeMs(till, serviceNowMs) ?? 0) > (till.window.hours * hourMs * 3) / 4;
}

function Queue({ till }: { readonly till: TillState }) {
  const { frame } = useModel();
  const words = frame.words.value.frame;
  const format = frame.format.value;
  const waiting = unsentCount(till.operations);
  const { found, changed } = till.operations;
  const attention = attentionStates.reduce((sum, state) => sum + till.operations[state], found + changed);
  if (waiting === 0 && attention === 0) return null;
  const ageMs = oldestAgeMs(till, frame.serviceNowMs.value);
  const written = (ms: number): string => durationInWords(ms, frame.words.value, format);
  const isOld = isWindowNearlyOver(till, frame.serviceNowMs.value);
  return (
    <fieldset class="queue row gap-5" aria-label={words.queue}>
      {waiting > 0 && (
        <div class="queue-item row gap-3">
          <span class={`tile ${isOld ? 'tone-warning' : 'tone-waiting'}`}>
            <FirstIcon name="cloud-upload" />
          </span>
          <QueueCount count={waiting} />
          <div class="two-lines">
            <span class="line-main">{words.waiting(waiting, format.number(waiting))}</span>
            {ageMs !== null && (
              <span class={isOld ? 'line-quiet line-warning' : 'visually-hidden'}>
                {words.oldest(written(ageMs), written(till.window.hours * hourMs))}
              </span>
            )}
          </div>
        </div>
      )}
      {attention > 0 && (
        <button type="button" class="queue-item queue-button row gap-3" onClick={() => frame.show('attention')}>
          <span class="tile tone-danger">
            <FirstIcon name="circle-alert" />
          </span>
          <QueueCount count={attention} />
          <span class="line-main">{words.attention(attention, format.number(attention))}</span>
        </button>
      )}
    </fieldset>
  );
}

/** The number of waiting sales, for a bar without room for words. */
function QueueCount({ count }: { readonly count: number }) {
  return (
    <b class="queue-count" aria-hidden="true">
      {useModel().frame.format.value.number(count)}
    </b>
  );
}

function LanguageSwitch() {
  const { frame } = useModel();
  const words = frame.words.value;
  const locale = frame.locale.value;
  const other = otherLocale(locale);
  const language = new Intl.DisplayNames([locale], { type: 'language' }).of(other) ?? other;
  return (
    <button
      type="button"
      class="button button-ghost language"
      onClick={() => frame.setLocale(other)}
      title={words.otherLanguage(language)}
    >
      <FirstIcon name="languages" />
      <span lang={other}>{localeTable[other].name}</span>
    </button>
  );
}
