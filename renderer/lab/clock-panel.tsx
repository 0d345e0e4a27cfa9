import { useState } from 'preact/hooks';
import { foldDigits } from '../../shared/lib/digits.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/lib/durations.ts';
import type { LabDue } from '../../shared/till/lab-views.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { type Due, dueWithin } from './due.ts';
import { FailDialog } from './fail-dialog.tsx';
import { Choice, Failure, Field, Hollow, Press, Skeletons } from './lab-parts.tsx';
import { useLab } from './use-lab.ts';
import { instantOf, wallTextOf } from './wall-time.ts';

const unitMs = { second: 1000, minute: minuteMs, hour: hourMs, day: dayMs } as const;
type Unit = keyof typeof unitMs;
const steps = ['minute', 'hour', 'day'] as const satisfies readonly Unit[];

/** The sandbox's clock: its time, what is due, and the buttons that move it. */
export function ClockPanel() {
  const { lab, words } = useLab();
  const time = lab.time.value;
  if (time === null) return <Skeletons label={words.loading} />;
  return (
    <div class="lab-panel">
      <h2 class="title">{words.clock.title}</h2>
      <Now />
      <Failure />
      <Steps />
      <div class="lab-clock-own">
        <OwnStep />
        <SetTo />
      </div>
      <WhatComes />
    </div>
  );
}

/** Everything that becomes due at the service, and the oldest sale that waits here. */
function useDue(): readonly Due[] {
  const { frame } = useModel();
  const { lab } = useLab();
  const till = frame.till.value;
  const due: readonly Due[] = lab.time.value?.due ?? [];
  const endsAt = till?.window.ends_at ?? null;
  if (endsAt === null || Date.parse(endsAt) <= frame.nowMs.value) return due;
  const window: Due = { kind: 'window', id: 'window', at: endsAt };
  return [...due, window].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function Now() {
  const { frame } = useModel();
  const { lab, words, format } = useLab();
  const isHeld = lab.time.value?.clock === 'manual';
  const aheadMs = lab.time.value?.ahead_ms ?? 0;
  const isMoved = Math.abs(aheadMs) >= 1000;
  const nowMs = frame.nowMs.value;
  return (
    <section class="lab-now panel row wrap" data-clock={isHeld ? 'held' : isMoved ? 'ahead' : 'real'}>
      <div class="two-lines">
        <time class="lab-now-time" dateTime={new Date(nowMs).toISOString()}>
          {format.second(nowMs)}
        </time>
        <span class="quiet">{format.day(nowMs)}</span>
      </div>
      <div class="lab-now-state stack gap-1">
        <span class={`badge ${isHeld || isMoved ? 'tone-warning' : 'tone-success'}`}>
          <Icon name={isHeld ? 'pause' : 'play'} size={16} />
          {isHeld ? words.clock.held : isMoved ? words.clock.ahead(format.length(aheadMs)) : words.clock.runs}
        </span>
        {isHeld && <span class="line-quiet">{words.clock.heldNote}</span>}
        {!isHeld && isMoved && <span class="line-quiet">{words.clock.aheadNote}</span>}
      </div>
      <Press
        label={isHeld ? words.clock.run : words.clock.hold}
        icon={isHeld ? 'play' : 'pause'}
        look={isHeld ? 'primary' : 'outline'}
        onPress={() => void lab.act('lab.move_clock', { mode: isHeld ? 'real' : 'manual' })}
      />
      {isMoved && (
        <Press label={words.clock.backToReal} icon="rotate-ccw" look="ghost" onPress={() => lab.askReset(true)} />
      )}
    </section>
  );
}

function Steps() {
  const { lab, words } = useLab();
  const say = useDueInWords();
  return (
    <div class="lab-steps">
      {steps.map((step) => (
        <button
          key={step}
          type="button"
          class="lab-step stack"
          data-step={step}
          aria-disabled={lab.isBusy.value}
          onClick={() => void lab.act('lab.move_clock', { advance_ms: unitMs[step] })}
        >
          <span class="lab-step-name row gap-1">
            <Icon name="plus" size={18} />
            {words.clock.steps[step]}
          </span>
          <span class="line-quiet">{say(unitMs[step])}</span>
        </button>
      ))}
    </div>
  );
}

/** What becomes due when the clock is moved, in words. */
function useDueInWords(): (ms: number) => string {
  const { frame } = useModel();
  const {
    words,
    format: { list },
  } = useLab();
  const due = useDue();
  return (ms) => {
    const counts = dueWithin(due, frame.nowMs.value, ms);
    const said = counts.map(([kind, value]) =>
      kind === 'window' ? words.clock.dueBy.window : words.clock.dueBy[kind](value, frame.format.value.number(value)),
    );
    return said.length === 0 ? words.clock.nothingDue : list(said);
  };
}

function OwnStep() {
  const { lab, words } = useLab();
  const say = useDueInWords();
  const [typed, setTyped] = useState('');
  const [unit, setUnit] = useState<Unit>('minute');
  const [isWrong, setIsWrong] = useState(false);
  const ms = Math.round(Number(foldDigits(typed)) * unitMs[unit]);
  const isRight = typed.trim() !== '' && Number.isSafeInteger(ms) && ms > 0;
  return (
    <form
      class="lab-own"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsWrong(!isRight);
        if (isRight) void lab.act('lab.move_clock', { advance_ms: ms });
      }}
    >
      <Field
        id="lab-own-amount"
        label={words.clock.own}
        direction="ltr"
        inputMode="decimal"
        value={typed}
        note={isRight ? say(ms) : undefined}
        problem={isWrong ? words.clock.notANumber : undefined}
        onInput={(value) => {
          setTyped(value);
          setIsWrong(false);
        }}
      />
      <Choice
        id="lab-own-unit"
        label={words.clock.unit}
        value={unit}
        choices={(Object.keys(unitMs) as readonly Unit[]).map((name) => ({
          value: name,
          label: words.clock.units[name],
        }))}
        onChoose={(name) => setUnit(name in unitMs ? (name as Unit) : 'minute')}
      />
      <button type="submit" class="button button-outline" aria-disabled={lab.isBusy.value}>
        {words.clock.move}
      </button>
    </form>
  );
}

function SetTo() {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const timeZone = frame.till.value?.time_zone ?? 'UTC';
  const [typed, setTyped] = useState(() => wallTextOf(frame.nowMs.value + hourMs, timeZone));
  const [isWrong, setIsWrong] = useState(false);
  return (
    <form
      class="lab-own"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const instant = instantOf(typed, timeZone);
        const isRight = instant !== null && instant >= frame.nowMs.value;
        setIsWrong(!isRight);
        if (isRight) void lab.act('lab.move_clock', { set: new Date(instant).toISOString() });
      }}
    >
      <Field
        id="lab-set-time"
        label={words.clock.setLabel}
        type="datetime-local"
        direction="ltr"
        value={typed}
        problem={isWrong ? words.clock.notEarlier : undefined}
        onInput={(value) => {
          setTyped(value);
          setIsWrong(false);
        }}
      />
      <button type="submit" class="button button-outline" aria-disabled={lab.isBusy.value}>
        {words.clock.setButton}
      </button>
    </form>
  );
}

const dueIcons: Readonly<Record<Due['kind'], IconName>> = {
  transaction: 'receipt-text',
  reservation: 'hourglass',
  otp: 'phone',
  key: 'key-round',
  window: 'triangle-alert',
};

function WhatComes() {
  const { frame } = useModel();
  const { lab, words, format } = useLab();
  const [failing, setFailing] = useState<string | null>(null);
  const due = useDue();
  return (
    <section class="lab-part">
      <h3 class="section-title">{words.clock.due}</h3>
      {due.length === 0 && <Hollow title={words.clock.dueEmptyTitle} next={words.clock.dueEmptyNext} />}
      {due.length > 0 && (
        <ul class="lab-rows panel stack">
          {due.map((item) => (
            <li
              key={`${item.kind} ${item.id}`}
              class="lab-row list-row"
              data-due={item.kind}
              data-ref={item.external_ref}
            >
              <Icon name={dueIcons[item.kind]} />
              <div class="two-lines lab-row-text">
                <span class="lab-row-title">
                  {item.intent === 'reverse' ? words.clock.reversal : words.clock.kinds[item.kind]}
                  {item.planned_failure != null && (
                    <span class="badge tone-danger">{`${words.clock.willFail}: ${codeInWords(item, words.errorCodes)}`}</span>
                  )}
                </span>
                <span class="line-quiet lab-row-names">
                  {item.customer_name != null && <bdi>{item.customer_name}</bdi>}
                  {item.external_ref != null && (
                    <bdi dir="ltr" class="ref">
                      {item.external_ref}
                    </bdi>
                  )}
                </span>
              </div>
              <time class="quiet lab-row-time" dateTime={item.at}>
                {words.clock.inTime(format.length(Date.parse(item.at) - frame.nowMs.value))}
              </time>
              {item.kind === 'transaction' && (
                <Press
                  label={words.clock.makeFail}
                  look="ghost"
                  describedAs={`${words.clock.makeFail}: ${item.external_ref ?? ''}`}
                  onPress={() => setFailing(item.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {failing !== null && (
        <FailDialog
          onClose={() => setFailing(null)}
          onChoose={(code) => lab.act('lab.fail_transaction', { transaction_id: failing, code })}
        />
      )}
    </section>
  );
}

function codeInWords(item: Pick<LabDue, 'planned_failure'>, names: Readonly<Record<string, string>>): string {
  const code = item.planned_failure ?? '';
  return names[code] ?? code;
}
