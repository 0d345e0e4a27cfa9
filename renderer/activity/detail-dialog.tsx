import { Fragment } from 'preact';
import { needsPerson } from '../../shared/machines/operation.ts';
import type { OperationDetail } from '../../shared/till/activity-views.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import { loadLater } from '../components/load-later.tsx';
import { Modal } from '../components/modal.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { operationCustomer, rowState } from '../operation/operation-words.ts';
import { refusalReason, stateLooks } from '../operation/outcome.ts';
import { rowWords } from '../operation/row-words.ts';
import { rowKind, rowLook } from '../operation/standing.ts';
import { everything } from './filter.ts';
import { useActivity } from './use-activity.ts';

const PrintReceipt = loadLater(
  () => import('../receipt/print-receipt.tsx'),
  (module) => module.PrintReceipt,
  'receipt',
);

/** One operation with its whole history, its request and its answer. The customer's data is masked. */
export function DetailDialog({ detail }: { readonly detail: OperationDetail }) {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('activity').detail;
  const activity = useActivity();
  const { operation, request, answer } = detail;
  const { customer_name } = operation;
  const missing = request.is_readable ? own.erased : own.unreadable;
  const requestText = request.body === null ? missing : JSON.stringify(request.body, null, 2);
  return (
    <Modal titleId="detail-title" look="detail-dialog" onLeave={activity.close}>
      <header class="entry-head row">
        <StateIcon look={rowLook(operation)} size={24} />
        <div class="two-lines">
          <h2 id="detail-title" class="entry-title">
            <bdi>{rowWords(operation, null, all, frame.format.value).text}</bdi>
          </h2>
          <p class="entry-who">
            <bdi>{operationCustomer(operation, all)}</bdi>
            <bdi dir="ltr" class="ref">
              {operation.external_ref}
            </bdi>
          </p>
        </div>
      </header>
      <div class="detail-body">
        <div class="detail-part stack gap-3">
          <h3 class="section-title">{own.facts}</h3>
          <Facts detail={detail} />
          <h3 class="section-title">{own.history}</h3>
          <History detail={detail} />
        </div>
        <div class="detail-part stack gap-3">
          <h3 class="section-title">{own.request}</h3>
          <pre class="code" dir="ltr">
            {`POST ${request.path}\n${requestText}`}
          </pre>
          {answer !== null && answer !== undefined && (
            <>
              <h3 class="section-title">{own.answer}</h3>
              <pre class="code" dir="ltr">
                {JSON.stringify(answer, null, 2)}
              </pre>
            </>
          )}
        </div>
      </div>
      <div class="entry-foot">
        {frame.till.value?.has_printer === true && <PrintReceipt operation={operation} />}
        {customer_name !== null && (
          <button
            type="button"
            class="button button-outline button-large"
            onClick={() => {
              activity.close();
              activity.narrow({ ...everything, text: customer_name });
            }}
          >
            {own.all}
          </button>
        )}
        {needsPerson(operation.state) && (
          <button
            type="button"
            class="button button-outline button-large"
            onClick={() => {
              activity.close();
              frame.show('attention');
            }}
          >
            {own.decide}
          </button>
        )}
        <button
          type="button"
          class="button button-primary button-large entry-confirm"
          data-first=""
          onClick={activity.close}
        >
          {own.close}
        </button>
      </div>
    </Modal>
  );
}

function Facts({ detail }: { readonly detail: OperationDetail }) {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('activity').detail;
  const format = frame.format.value;
  const { operation, request } = detail;
  const { error } = operation;
  const sent = [
    own.times(request.sends, format.number(request.sends)),
    ...(request.body_version > 1 ? [own.version(format.number(request.body_version))] : []),
  ].join(' · ');
  const posName = request.pos_name ?? own.posProgram;
  const facts: readonly (readonly [string, string, 'words' | 'code'])[] = [
    [
      own.state,
      isSpentNothing(operation)
        ? `${rowState(operation, all)}: ${all.spendStates.cancelled.detail}`
        : rowState(operation, all),
      'words',
    ],
    ...(error === null ? [] : ([[own.reason, all.refusals[refusalReason(error)].title, 'words']] as const)),
    [
      own.customer,
      [operation.customer_name, operation.identifier_hint].filter((part) => part !== null).join(' · '),
      'words',
    ],
    [own.when, format.dateTime(Date.parse(operation.occurred_at)), 'words'],
    [own.day, request.business_date, 'code'],
    [own.from, request.origin === 'till' ? own.screen : posName, 'words'],
    ...(operation.card_id === null ? [] : ([[own.card, operation.card_id, 'code']] as const)),
    [own.sends, sent, 'words'],
    ...(Math.abs(request.clock_skew_ms ?? 0) <= greatestSkewMs
      ? []
      : ([[own.skew, own.skewed(format.number(Math.round((request.clock_skew_ms ?? 0) / 1000))), 'words']] as const)),
    [own.ours, operation.transaction_id, 'code'],
    [
      own.services,
      operation.service_transaction_id ?? own.none,
      operation.service_transaction_id === null ? 'words' : 'code',
    ],
  ];
  return (
    <dl class="detail-facts">
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value, kind]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi dir={kind === 'code' ? 'ltr' : 'auto'} class={kind === 'code' ? 'ref' : undefined}>
                {value}
              </bdi>
            </dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** Whether a redemption ended and the card has lost nothing. */
function isSpentNothing(operation: OperationDetail['operation']): boolean {
  return rowKind(operation) === 'spend' && operation.state === 'cancelled';
}

function History({ detail }: { readonly detail: OperationDetail }) {
  const { frame } = useModel();
  const own = useWords('activity');
  const all = frame.words.value;
  const format = frame.format.value;
  return (
    <ol class="detail-history">
      {detail.history.map((entry, index) => {
        const facts = [
          entry.http_status === null ? null : `HTTP ${entry.http_status}`,
          entry.code,
          entry.request_id,
        ].filter((part) => part !== null);
        return (
          <li key={`${index} ${entry.to}`} class="detail-step" data-to={entry.to}>
            <StateIcon look={stateLooks[entry.to]} size={16} />
            <div class="two-lines">
              <span class="detail-step-head">
                <strong>{all.stateWords[entry.to]}</strong>
                <time class="quiet" dateTime={entry.at}>
                  {format.dateTime(Date.parse(entry.at))}
                </time>
              </span>
              {entry.cause !== null && <span>{own.causes[entry.cause]}</span>}
              {entry.reason !== null && (
                <span>
                  <bdi>{entry.reason}</bdi>
                  {entry.person !== null && <span class="quiet"> {own.detail.decidedBy(entry.person)}</span>}
                </span>
              )}
              {facts.length > 0 && (
                <bdi dir="ltr" class="ref quiet detail-codes">
                  {facts.join(' · ')}
                </bdi>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
