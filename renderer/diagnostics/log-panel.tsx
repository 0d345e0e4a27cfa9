import { useState } from 'preact/hooks';
import type { LogLine } from '../../shared/till/diagnostics-commands.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { DiagnosticsState } from './state.ts';

const tones: Readonly<Record<LogLine['level'], string>> = {
  debug: 'neutral',
  info: 'neutral',
  warn: 'warning',
  error: 'danger',
};

/** The end of the log, newest first. */
export function LogPanel({ state }: { readonly state: DiagnosticsState }) {
  const words = useWords('diagnostics');
  const [isTroubleOnly, setIsTroubleOnly] = useState(false);
  const all = state.log.value;
  const lines = all?.filter(({ level }) => !isTroubleOnly || level === 'warn' || level === 'error') ?? null;
  return (
    <section class="office-card">
      <div class="office-list-head">
        <label class="check-line">
          <input
            type="checkbox"
            class="check"
            checked={isTroubleOnly}
            onChange={(event) => setIsTroubleOnly(event.currentTarget.checked)}
          />
          {words.log.onlyTrouble}
        </label>
      </div>
      {lines === null && <span class="skeleton office-skeleton-row" aria-hidden="true" />}
      {lines?.length === 0 && (
        <p class="hollow">
          <strong>{words.log.emptyTitle}</strong>
          {words.log.emptyNext}
        </p>
      )}
      {lines !== null && lines.length > 0 && (
        <ol class="log-list" aria-label={words.log.list}>
          {lines.map((line, index) => (
            <Line key={`${line.at} ${lines.length - index}`} line={line} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Line({ line }: { readonly line: LogLine }) {
  const { frame } = useModel();
  const words = useWords('diagnostics');
  return (
    <li class="log-line" data-level={line.level}>
      <time class="line-time" dateTime={line.at}>
        {frame.format.value.exactTime(Date.parse(line.at))}
      </time>
      <span class={`badge tone-${tones[line.level]}`}>{words.log.levels[line.level]}</span>
      <div class="log-said stack" dir="ltr" lang="en">
        <span>{line.message}</span>
        {line.facts !== '' && <span class="ref quiet">{line.facts}</span>}
      </div>
    </li>
  );
}
