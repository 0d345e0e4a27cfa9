import type { ComponentChildren } from 'preact';
import type { DatabaseCheck, Diagnosis } from '../../shared/till/diagnostics-commands.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import type { DiagnosticsWords } from '../copy/en/diagnostics.ts';
import type { Format } from '../copy/format.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { DiagnosticsState } from './state.ts';

const megabyte = 1024 * 1024;

interface PanelProps {
  readonly diagnosis: Diagnosis;
  readonly state: DiagnosticsState;
}

/** The machine of the till: clock, disk, database, versions. */
export function MachinePanel({ diagnosis, state }: PanelProps) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  const { free_bytes: free, least_free_bytes: least, data_dir: folder, versions } = diagnosis;
  const skew = diagnosis.clock_skew_ms;
  const isLow = free !== null && free < least;
  return (
    <>
      <div class="office-card">
        <Row
          icon="timer"
          tone={skew === null ? 'neutral' : Math.abs(skew) > greatestSkewMs ? 'danger' : 'success'}
          title={words.machine.clock}
          name="clock"
        >
          {clockWords(skew, words, format)}
        </Row>
        <Row
          icon="hard-drive"
          tone={free === null ? 'neutral' : isLow ? 'danger' : 'success'}
          title={words.machine.disk}
          name="disk"
        >
          {free === null
            ? words.machine.diskUnknown
            : words.machine[isLow ? 'diskLow' : 'diskLeft'](size(free, words, format))}
          <bdi dir="ltr" class="ref">
            {folder}
          </bdi>
        </Row>
        <Row icon="keyboard" tone="neutral" title={words.machine.commands} name="commands">
          {words.machine.commandsNext}
          <bdi dir="ltr" class="ref">
            {diagnosis.command}
          </bdi>
        </Row>
        <DatabaseRow diagnosis={diagnosis} state={state} />
        {diagnosis.put_aside.length > 0 && (
          <Row icon="triangle-alert" tone="warning" title={words.machine.aside} name="aside">
            {words.machine.asideNext}
            {diagnosis.put_aside.map((name) => (
              <bdi key={name} dir="ltr" class="ref">
                {name}
              </bdi>
            ))}
          </Row>
        )}
      </div>
      <section class="office-card" aria-labelledby="machine-versions">
        <div class="office-list-head">
          <h3 id="machine-versions" class="office-label">
            {words.machine.versions}
          </h3>
        </div>
        <dl class="facts">
          {(['tillbridge', 'specification', 'node', 'sqlite', 'system'] as const).map((name) => (
            <Fact key={name} title={words.machine.version[name]} text={versions[name]} />
          ))}
          <Fact title={words.machine.device} text={diagnosis.device_id} />
          <dt>{words.machine.started}</dt>
          <dd>{format.dateTime(Date.parse(diagnosis.started_at))}</dd>
        </dl>
      </section>
    </>
  );
}

function Fact({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <bdi dir="ltr">{text}</bdi>
      </dd>
    </>
  );
}

interface RowProps {
  readonly icon: IconName;
  readonly tone: string;
  readonly title: string;
  readonly name: string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Row({ icon, tone, title, name, action, children }: RowProps) {
  return (
    <div class="machine-row row list-row gap-4" data-machine={name}>
      <span class={`tile tone-${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="machine-text">
        <h3 class="office-label">{title}</h3>
        <div class="machine-said stack">{children}</div>
      </div>
      {action}
    </div>
  );
}

const checkTones: Readonly<Record<DatabaseCheck['state'], string>> = {
  never: 'neutral',
  running: 'info',
  sound: 'success',
  damaged: 'danger',
  failed: 'warning',
};

function DatabaseRow({ diagnosis, state }: PanelProps) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  const format = frame.format.value;
  const check = state.check.value ?? diagnosis.database.check;
  const { file, bytes } = diagnosis.database;
  const isRunning = check.state === 'running';
  return (
    <Row
      icon="list-checks"
      tone={checkTones[check.state]}
      title={words.machine.database}
      name="database"
      action={
        <button
          type="button"
          class="button button-outline"
          aria-disabled={isRunning}
          onClick={() => void state.checkDatabase()}
        >
          {check.state === 'never' ? words.machine.check : words.machine.checkAgain}
        </button>
      }
    >
      <span>{words.machine.databaseSize(file, size(bytes, words, format))}</span>
      <span role="status" data-check={check.state}>
        {checkWords(check, words, format)}
      </span>
      {isRunning && (
        <progress
          class="progress check-progress"
          aria-label={words.machine.database}
          value={check.done}
          max={Math.max(1, check.total)}
        />
      )}
      {check.problems.map((problem) => (
        <bdi key={problem} dir="ltr" class="ref">
          {problem}
        </bdi>
      ))}
    </Row>
  );
}

function checkWords(check: DatabaseCheck, words: DiagnosticsWords, format: Format): string {
  switch (check.state) {
    case 'running':
      return check.total === 0
        ? words.machine.beginning
        : words.machine.checking(format.number(check.done + 1), format.number(check.total));
    case 'sound':
      return words.machine.checks.sound(check.ended_at === null ? '' : format.time(Date.parse(check.ended_at)));
    case 'never':
    case 'damaged':
    case 'failed':
      return words.machine.checks[check.state];
  }
}

/** @param skewMs how far the service's clock is ahead of this machine's */
function clockWords(skewMs: number | null, words: DiagnosticsWords, format: Format): string {
  if (skewMs === null) return words.machine.clockUnknown;
  const apartMs = Math.abs(skewMs);
  if (apartMs <= greatestSkewMs) {
    const seconds = Math.round(apartMs / 1000);
    return words.machine.clockAgrees(
      apartMs < 1000
        ? words.machine.milliseconds(format.number(Math.round(apartMs)))
        : words.machine.seconds(seconds, format.number(seconds)),
    );
  }
  const seconds = Math.round(apartMs / 1000);
  const written = words.machine.seconds(seconds, format.number(seconds));
  return skewMs > 0 ? words.machine.clockBehind(written) : words.machine.clockAhead(written);
}

function size(bytes: number, words: DiagnosticsWords, format: Format): string {
  const megabytes = bytes / megabyte;
  if (megabytes >= 1024) return words.machine.gigabytes(format.number(Math.round(megabytes / 102.4) / 10));
  return words.machine.megabytes(
    format.number(megabytes < 10 ? Math.round(megabytes * 10) / 10 : Math.round(megabytes)),
  );
}
