import { useState } from 'preact/hooks';
import { errorCodes, errorFactOf } from '../../shared/contract/error-facts.ts';
import { faultTable, faultTypes } from '../../shared/till/lab-names.ts';
import type { LabFault } from '../../shared/till/lab-views.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { callMatched, callNames } from './calls.ts';
import { codeLabel } from './fail-dialog.tsx';
import { Choice, Failure, Field, Hollow, Press, Skeletons } from './lab-parts.tsx';
import { LabHead } from './lab-table.tsx';
import { type FaultProblem, firstFault, type NewFault, readFault } from './new-fault.ts';
import { useLab } from './use-lab.ts';

/** Every fault that the sandbox can have: the active ones, and one to put together. */
export function FaultsPanel() {
  const { lab, words } = useLab();
  const faults = lab.faults.value;
  return (
    <div class="lab-panel">
      <section class="lab-part">
        <LabHead
          title={words.faults.title}
          note={faults !== null && faults.length > 1 && <p class="quiet">{words.faults.order}</p>}
        >
          {faults !== null && faults.length > 0 && (
            <Press label={words.faults.clearAll} icon="trash-2" onPress={() => void lab.act('lab.clear_faults', {})} />
          )}
        </LabHead>
        {faults === null && <Skeletons label={words.loading} />}
        {faults?.length === 0 && <Hollow title={words.faults.emptyTitle} next={words.faults.emptyNext} />}
        {faults !== null && faults.length > 0 && (
          <ol class="lab-rows panel stack">
            {faults.map((fault) => (
              <FaultRow key={fault.id} fault={fault} />
            ))}
          </ol>
        )}
      </section>
      <AddFault />
    </div>
  );
}

function FaultRow({ fault }: { readonly fault: LabFault }) {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const { number } = frame.format.value;
  const { effect, match, times, hits, hits_left: left } = fault;
  const call = callMatched(match.method, match.path);
  const which =
    match.path === undefined
      ? match.method === undefined
        ? words.faults.everyCall
        : match.method
      : call === null
        ? `${match.method ?? ''} ${match.path}`.trim()
        : words.calls[call];
  const isWhichCode = match.path !== undefined && call === null;
  const percent = fault.probability < 1 ? `${number(Math.round(fault.probability * 1000) / 10)}\u00a0%` : null;
  const more = [
    effect.ms === undefined ? null : words.faults.slow(number(effect.ms / 1000)),
    effect.code === undefined ? null : `${codeLabel(effect.code, words.errorCodes)} ${effect.status ?? ''}`,
    effect.retry_after === undefined ? null : words.faults.again(number(effect.retry_after)),
    percent === null ? null : words.faults.chance(percent),
    words.faults.met(hits, number(hits)),
    left === null || left === 0 ? null : words.faults.left(left, number(left)),
  ].filter((part) => part !== null);
  const isUsed = left === 0;
  return (
    <li class="lab-row list-row" data-fault={effect.type} data-state={isUsed ? 'used' : 'active'}>
      <span class={`tile ${isUsed ? 'tone-neutral' : 'tone-warning'}`}>
        <Icon name={faultTable[effect.type].icon} />
      </span>
      <div class="two-lines lab-row-text">
        <span class="lab-row-title">
          {words.faults.effects[effect.type]}
          <bdi dir={isWhichCode ? 'ltr' : 'auto'} class={isWhichCode ? 'ref' : 'quiet'}>
            {which}
          </bdi>
          {match.external_ref !== undefined && (
            <span class="quiet">
              {words.faults.forReference}{' '}
              <bdi dir="ltr" class="ref">
                {match.external_ref}
              </bdi>
            </span>
          )}
          {times !== null && isUsed && <span class="badge tone-neutral">{words.faults.used}</span>}
        </span>
        <span class="line-quiet">{more.join(' · ')}</span>
      </div>
      <Press
        label={words.remove}
        look="ghost"
        describedAs={`${words.remove}: ${words.faults.effects[effect.type]}`}
        onPress={() => void lab.act('lab.remove_fault', { fault_id: fault.id })}
      />
    </li>
  );
}

function AddFault() {
  const { lab, words } = useLab();
  const [fault, setFault] = useState<NewFault>(firstFault);
  const [problem, setProblem] = useState<FaultProblem | null>(null);
  const edit = (change: Partial<NewFault>): void => {
    setFault({ ...fault, ...change });
    setProblem(null);
    lab.forget();
  };
  const add = (): void => {
    const read = readFault(fault);
    if (read.ok) void lab.act('lab.add_fault', read.input);
    else setProblem(read.problem);
  };
  const problemOf = (field: FaultProblem): string | undefined =>
    problem === field ? words.faults.problems[field] : undefined;
  const type = faultTypes.find((name) => name === fault.type) ?? 'offline';
  const { takes } = faultTable[type];
  return (
    <form
      class="lab-part lab-sheet panel"
      noValidate
      aria-labelledby="lab-add-fault"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <h2 id="lab-add-fault" class="section-title">
        {words.faults.add}
      </h2>
      <div class="lab-grid">
        <div>
          <Choice
            id="lab-fault-effect"
            label={words.faults.effect}
            value={type}
            choices={faultTypes.map((name) => ({ value: name, label: words.faults.effects[name] }))}
            onChoose={(chosen) => edit({ type: faultTypes.find((name) => name === chosen) ?? 'offline' })}
          />
          <p class="field-note">{words.faults.effectNotes[type]}</p>
        </div>
        {takes === 'duration' && (
          <Field
            id="lab-fault-seconds"
            label={words.faults.seconds}
            direction="ltr"
            inputMode="decimal"
            value={fault.seconds}
            problem={problemOf('seconds')}
            onInput={(seconds) => edit({ seconds })}
          />
        )}
        {takes === 'answer' && <ErrorFields fault={fault} problemOf={problemOf} onEdit={edit} />}
        <CallFields fault={fault} problemOf={problemOf} onEdit={edit} />
        <OftenFields fault={fault} problemOf={problemOf} onEdit={edit} />
      </div>
      <Failure />
      <div class="lab-sheet-foot">
        <button type="submit" class="button button-primary" aria-disabled={lab.isBusy.value}>
          <Icon name="plus" />
          {words.faults.addButton}
        </button>
      </div>
    </form>
  );
}

interface FaultFieldsProps {
  readonly fault: NewFault;
  readonly problemOf: (field: FaultProblem) => string | undefined;
  readonly onEdit: (change: Partial<NewFault>) => void;
}

function ErrorFields({ fault, problemOf, onEdit }: FaultFieldsProps) {
  const { words } = useLab();
  return (
    <>
      <Choice
        id="lab-fault-code"
        label={words.faults.error}
        value={fault.code}
        choices={errorCodes.map((code) => ({ value: code, label: codeLabel(code, words.errorCodes) }))}
        onChoose={(code) => onEdit({ code, status: String(errorFactOf(code)?.status ?? fault.status) })}
      />
      <Field
        id="lab-fault-status"
        label={words.faults.status}
        direction="ltr"
        inputMode="numeric"
        value={fault.status}
        problem={problemOf('status')}
        onInput={(status) => onEdit({ status })}
      />
      <Field
        id="lab-fault-retry"
        label={`${words.faults.retryAfter} (${words.optional})`}
        direction="ltr"
        inputMode="numeric"
        value={fault.retryAfter}
        problem={problemOf('retryAfter')}
        onInput={(retryAfter) => onEdit({ retryAfter })}
      />
    </>
  );
}

/** Which calls meet the fault. */
function CallFields({ fault, problemOf, onEdit }: FaultFieldsProps) {
  const { words } = useLab();
  return (
    <>
      <Choice
        id="lab-fault-call"
        label={words.faults.calls}
        value={fault.call}
        choices={[
          { value: 'every', label: words.faults.everyCall },
          ...callNames.map((name) => ({ value: name, label: words.calls[name] })),
          { value: 'own', label: words.faults.ownCall },
        ]}
        onChoose={(chosen) =>
          onEdit({ call: callNames.find((name) => name === chosen) ?? (chosen === 'own' ? 'own' : 'every') })
        }
      />
      {fault.call === 'own' && (
        <>
          <Choice
            id="lab-fault-method"
            label={words.faults.method}
            value={fault.method}
            choices={[
              { value: '', label: words.faults.everyMethod },
              { value: 'GET', label: 'GET' },
              { value: 'POST', label: 'POST' },
            ]}
            onChoose={(method) => onEdit({ method })}
          />
          <Field
            id="lab-fault-path"
            label={words.faults.path}
            direction="ltr"
            value={fault.path}
            note={words.faults.pathHint}
            problem={problemOf('path')}
            onInput={(path) => onEdit({ path })}
          />
        </>
      )}
      <Field
        id="lab-fault-reference"
        label={`${words.faults.reference} (${words.optional})`}
        direction="ltr"
        value={fault.reference}
        onInput={(reference) => onEdit({ reference })}
      />
    </>
  );
}

/** How often the fault comes. */
function OftenFields({ fault, problemOf, onEdit }: FaultFieldsProps) {
  const { words } = useLab();
  return (
    <>
      <Choice
        id="lab-fault-often"
        label={words.faults.howOften}
        value={fault.often}
        choices={[
          { value: 'until_cleared', label: words.faults.untilCleared },
          { value: 'next', label: words.faults.nextCalls },
        ]}
        onChoose={(often) => onEdit({ often: often === 'next' ? 'next' : 'until_cleared' })}
      />
      {fault.often === 'next' && (
        <Field
          id="lab-fault-times"
          label={words.faults.howMany}
          direction="ltr"
          inputMode="numeric"
          value={fault.times}
          problem={problemOf('times')}
          onInput={(times) => onEdit({ times })}
        />
      )}
      <Field
        id="lab-fault-share"
        label={words.faults.share}
        direction="ltr"
        inputMode="numeric"
        value={fault.share}
        problem={problemOf('share')}
        onInput={(share) => onEdit({ share })}
      />
    </>
  );
}
