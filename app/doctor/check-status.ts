import { z } from 'zod';
import { sumWaiting, waitingStates } from '../../shared/machines/operation.ts';
import { connectionWords, stateWords } from '../../shared/till/state-words.ts';
import { type Connection, connectionSchema, noticeSchema, operationCountsSchema } from '../../shared/till/views.ts';
import { isEmbeddedSandbox } from '../core/embedded-sandbox.ts';
import { typed } from '../machine/installed.ts';
import { type Finding, problem, warning, well } from './finding.ts';
import { isInformation, isWholeRestore, noticeInWords } from './notice-words.ts';

/** What the doctor reads of `GET /v1/agent/status`. */
export const statusSchema = z.object({
  mode: z.string(),
  connection: connectionSchema,
  operations: operationCountsSchema,
  oldest_waiting_at: z.string().nullable(),
  window: z.object({ hours: z.number(), seconds_left: z.number().nullable() }),
  clock_skew_ms: z.number().nullable(),
  versions: z.record(z.string(), z.string()),
  service: z.object({ base_url: z.string(), last_answer_at: z.string().nullable() }),
  notices: z.array(noticeSchema),
});
export type Status = z.infer<typeof statusSchema>;

/** Half of the sending deadline gone is time to look at the connection. */
const windowShare = 0.5;

/** How long the service still takes the oldest sale. */
export function windowLeftInWords(secondsLeft: number, windowHours: number): string {
  return secondsLeft < 0
    ? `the sending deadline of ${windowHours} h has passed`
    : `${Math.floor(secondsLeft / 3600)} h left of ${windowHours}`;
}

/** How many operations go on without a person, and in which states: only some of them are still to be sent. */
export function waitingInWords(operations: Status['operations']): string {
  const parts = waitingStates
    .filter((state) => operations[state] > 0)
    .map((state) => `${stateWords.en[state]} ${operations[state]}`);
  return `${sumWaiting(operations)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

/** How the line is, why and since when; and until when nothing is sent, or looked up. */
export function connectionInWords(connection: Connection): string {
  const { state, cause, since, waits_until: until, look_ups_wait_until: lookUpsUntil } = connection;
  const line = `${connectionWords.en[state]}${cause === null ? '' : ` (${cause})`} since ${since}`;
  const why = cause === 'refused' ? 'many operations were refused for one reason' : 'the service asked to wait';
  const sending = until === undefined ? '' : `; nothing is sent before ${until}, because ${why}`;
  const lookingUp =
    lookUpsUntil === undefined
      ? ''
      : `; what became of sent operations is not asked before ${lookUpsUntil}, because the service takes no look-ups now`;
  return `${line}${sending}${lookingUp}`;
}

/** What a running agent says of itself. */
export function checkStatus(status: Status, ownVersion: string): readonly Finding[] {
  const { connection, operations, window, versions } = status;
  const findings: Finding[] = [];
  const running = versions.tillbridge ?? 'unknown';
  findings.push(
    running === ownVersion
      ? well('agent', `version ${running} runs in ${status.mode} mode`)
      : warning('agent', `version ${running} runs, ${ownVersion} is installed`, 'Start the agent again'),
  );
  const line = connectionInWords(connection);
  const isWell = connection.state === 'online' || connection.state === 'checking';
  if (!isWell) findings.push(problem('connection', line, `Keep selling. ${whatElse(status)}`));
  else if (connection.waits_until === undefined) findings.push(well('connection', line));
  else findings.push(problem('connection', line, `Run ${typed('line try')}, or call the loyalty provider`));
  const attention = operations.refused + operations.failed + operations.changed;
  findings.push(
    attention === 0
      ? well('attention', 'no operation needs attention')
      : problem(
          'attention',
          `${attention} ${attention === 1 ? 'needs' : 'need'} attention`,
          `Run ${typed(`queue list --state refused,failed${operations.changed > 0 ? ',unknown' : ''}`)}`,
        ),
  );
  if (operations.found > 0) {
    findings.push(
      problem(
        'found',
        `the service has ${operations.found} that the till showed as not completed`,
        `Run ${typed('queue list --state found')}, then ${typed('queue keep REF')} or ${typed('queue take-back REF')}`,
      ),
    );
  }
  const isLate = window.seconds_left !== null && window.seconds_left < window.hours * 3600 * windowShare;
  const oldest = status.oldest_waiting_at === null ? '' : `, the oldest from ${status.oldest_waiting_at}`;
  const says = `${waitingInWords(operations)} waiting${oldest}`;
  findings.push(
    isLate
      ? problem(
          'waiting',
          `${says}: ${windowLeftInWords(window.seconds_left ?? 0, window.hours)}`,
          'Restore the connection, or call the loyalty provider',
        )
      : well('waiting', says),
  );
  for (const notice of status.notices) {
    if (isInformation(notice)) findings.push(well('notice', noticeInWords(notice)));
    else {
      const tell = isWholeRestore(notice) ? warning : problem;
      findings.push(tell('notice', noticeInWords(notice), `Read more in ${pageOn(notice)}`));
    }
  }
  return findings;
}

/** Nothing is wrong with the line to a sandbox in the same process: somebody practises, or tests. */
function whatElse({ service }: Status): string {
  return isEmbeddedSandbox(service.base_url)
    ? 'A practice fault, or another key or limit, was set in the sandbox: end it in More, Sandbox lab, or a fault with DELETE /_sandbox/faults'
    : 'See the lines below';
}

function pageOn(notice: Status['notices'][number]): string {
  if (notice.code === 'production_database') return pageOn(notice.trouble);
  const isOfDatabase = ['database_damaged', 'database_recovered'].includes(notice.code);
  return isOfDatabase ? 'docs/recovery.md' : 'docs/store-it.md';
}
