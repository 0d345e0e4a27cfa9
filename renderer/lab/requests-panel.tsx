import { useState } from 'preact/hooks';
import type { LabExchange, LabRequest } from '../../shared/till/lab-views.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { callNames, callOf } from './calls.ts';
import { Check, Choice, LabDialog, Press } from './lab-parts.tsx';
import { LabTable } from './lab-table.tsx';
import { everyRequest, isShown, type RequestFilter, results } from './request-filter.ts';
import { useLab } from './use-lab.ts';

/** The requests that reached the service, as they come. */
export function RequestsPanel() {
  const { frame } = useModel();
  const { lab, words } = useLab();
  const [filter, setFilter] = useState<RequestFilter>(everyRequest);
  const requests = lab.requests.value;
  const shown = requests?.filter((request) => isShown(request, filter)) ?? null;
  const isPaused = lab.isPaused.value;
  const exchange = lab.exchange.value;
  const { number } = frame.format.value;
  const edit = (change: Partial<RequestFilter>): void => setFilter({ ...filter, ...change });
  const isUnfiltered = filter === everyRequest;
  const note = requests === null ? '\u00a0' : words.requests.shown(number(shown?.length ?? 0), number(requests.length));
  return (
    <>
      <LabTable
        title={words.requests.title}
        note={
          <p class="quiet" role="status">
            {isPaused ? words.requests.paused : note}
          </p>
        }
        actions={
          <div class="lab-head-actions">
            <Press
              label={isPaused ? words.requests.go : words.requests.pause}
              icon={isPaused ? 'play' : 'pause'}
              look={isPaused ? 'primary' : 'outline'}
              onPress={() => lab.pause(!isPaused)}
            />
            <Press label={words.requests.clear} icon="trash-2" onPress={() => void lab.clearRequests()} />
          </div>
        }
        rows={shown}
        empty={{
          title: isUnfiltered ? words.requests.emptyTitle : words.requests.noneFound,
          next: isUnfiltered ? words.requests.emptyNext : words.requests.noneFoundNext,
        }}
        look="log"
        row={(request) => <RequestRow key={request.request_id} request={request} />}
      >
        <search class="lab-filters">
          <Choice
            id="lab-request-call"
            label={words.requests.call}
            value={filter.call}
            choices={[
              { value: 'every', label: words.requests.everyCall },
              ...callNames.map((name) => ({ value: name, label: words.calls[name] })),
            ]}
            onChoose={(chosen) => edit({ call: callNames.find((name) => name === chosen) ?? 'every' })}
          />
          <Choice
            id="lab-request-result"
            label={words.requests.result}
            value={filter.result}
            choices={results.map((name) => ({ value: name, label: words.requests.results[name] }))}
            onChoose={(chosen) => edit({ result: results.find((name) => name === chosen) ?? 'every' })}
          />
          <div class="field">
            <label class="field-label" for="lab-request-text">
              {words.requests.text}
            </label>
            <input
              id="lab-request-text"
              class="text-input"
              type="search"
              dir="auto"
              autoComplete="off"
              value={filter.text}
              onInput={(event) => edit({ text: event.currentTarget.value })}
            />
          </div>
        </search>
        <Check
          label={words.requests.checks}
          isChecked={filter.withChecks}
          onChange={(withChecks) => edit({ withChecks })}
        />
      </LabTable>
      {exchange !== null && <ExchangeDialog exchange={exchange} />}
    </>
  );
}

function RequestRow({ request }: { readonly request: LabRequest }) {
  const { lab, words, format } = useLab();
  const call = callOf(request.method, request.path);
  return (
    <li data-call={call ?? 'other'} data-ref={request.external_ref} data-status={request.status ?? 'none'}>
      <button type="button" class="lab-entry lab-request" onClick={() => void lab.open(request.request_id)}>
        <time class="lab-request-time" dateTime={request.time}>
          {format.second(Date.parse(request.time))}
        </time>
        <StatusBadge request={request} />
        <span class="lab-request-call stack">
          {call === null ? words.otherCall : words.calls[call]}
          <bdi dir="ltr" class="ref quiet lab-request-path cut">
            {request.method} {request.path}
          </bdi>
        </span>
        <span class="lab-request-more row wrap">
          <Marks request={request} />
          <bdi dir="ltr" class="ref lab-request-ref cut">
            {request.external_ref ?? ''}
          </bdi>
        </span>
      </button>
    </li>
  );
}

function StatusBadge({ request: { status } }: { readonly request: LabRequest }) {
  const { words } = useLab();
  if (status === null) return <span class="badge tone-danger lab-status">{words.requests.noAnswer}</span>;
  const tone = status < 400 ? 'success' : status < 500 ? 'warning' : 'danger';
  return <span class={`badge tone-${tone} lab-status`}>{status}</span>;
}

/** Marks what is unusual about a request. */
function Marks({ request }: { readonly request: LabRequest }) {
  const { words } = useLab();
  return (
    <>
      {request.payload_differs && (
        <span class="badge tone-danger" data-mark="payload_differs">
          <Icon name="triangle-alert" size={16} />
          {words.requests.differs}
        </span>
      )}
      {request.duplicate && !request.payload_differs && (
        <span class="badge tone-info" data-mark="duplicate">
          <Icon name="repeat" size={16} />
          {words.requests.repeat}
        </span>
      )}
      {request.fault !== null && (
        <span class="badge tone-warning" data-mark="fault">
          <Icon name="plug-zap" size={16} />
          {words.faults.effects[request.fault]}
        </span>
      )}
    </>
  );
}

function ExchangeDialog({ exchange }: { readonly exchange: LabExchange }) {
  const { frame } = useModel();
  const { lab, words, format } = useLab();
  const call = callOf(exchange.method, exchange.path);
  return (
    <LabDialog
      id="lab-exchange"
      icon="scroll-text"
      title={call === null ? words.otherCall : words.calls[call]}
      isWide
      onClose={lab.close}
      confirm={null}
    >
      <p class="lab-exchange-line row wrap">
        <StatusBadge request={exchange} />
        <Marks request={exchange} />
        <time class="quiet" dateTime={exchange.time}>
          {format.second(Date.parse(exchange.time))}
        </time>
        <span class="quiet">{words.requests.took(frame.format.value.number(exchange.duration_ms))}</span>
      </p>
      {exchange.payload_differs && <p class="notice tone-danger">{words.requests.differsNote}</p>}
      <Body label={words.requests.request} body={exchange.request_body}>
        {`${exchange.method} ${exchange.path}${exchange.query}`}
      </Body>
      <Body label={words.requests.answer} body={exchange.answer_body}>
        {exchange.status === null ? words.requests.noAnswer : String(exchange.status)}
      </Body>
      <p class="quiet">
        {words.requests.id}{' '}
        <bdi dir="ltr" class="ref">
          {exchange.request_id}
        </bdi>
      </p>
    </LabDialog>
  );
}

interface BodyProps {
  readonly label: string;
  readonly body: LabExchange['request_body'];
  /** The title above the text. */
  readonly children: string;
}

function Body({ label, body, children }: BodyProps) {
  const { words } = useLab();
  return (
    <section class="stack gap-2" aria-label={label}>
      <h3 class="section-title">{label}</h3>
      <pre class="code" dir="ltr">
        {`${children}${body === null ? '' : `\n${pretty(body.text)}`}`}
      </pre>
      {body?.cut === true && <p class="field-note">{words.requests.cut}</p>}
    </section>
  );
}

/** JSON in lines. A text that is no complete JSON stays as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
