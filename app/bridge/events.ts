import { type CancelTimer, type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { AgentChange, AgentCore } from '../core/agent-core.ts';
import { askedReference } from '../operations/requests/asked-reference.ts';
import type { Operation } from '../store/schema/operation.ts';
import { agentStatusBody } from './agent-status.ts';
import { withoutPrefix } from './reference-prefix.ts';
import type { AnswerLine, BridgeAnswer, BridgeRequest } from './request-and-answer.ts';
import { statusOf } from './transaction-view.ts';

/** How many changes a reader can catch up with after a pause. A reader that missed more reads everything again. */
const keptChanges = 1_000;
/** Something is sent at least this often, so that both ends notice a lost connection. */
const heartbeatMs = 15_000;

interface EventsOptions {
  readonly core: AgentCore;
  readonly clock: Clock;
  /** The id of this run of the agent. Event ids of another run are not valid. */
  readonly runId: string;
  readonly versions: Readonly<Record<string, string>>;
}

export interface Events {
  /** `GET /v1/agent/events`: a stream of server-sent events, resumed after `Last-Event-ID`. */
  answer(request: BridgeRequest, search: string, reader: EventReader): BridgeAnswer;
  readonly close: () => void;
}

interface EventReader {
  readonly referencePrefixes: readonly string[];
  /** Whether the reader may see an operation by now: its token may be shared, or no longer. */
  readonly sees: (operation: Operation) => boolean;
  /** Whether the reader is the program that asked for an operation. */
  readonly hasTaken: (operation: Operation) => boolean;
  /** False once its token was revoked. Then nothing more is sent. */
  readonly isStillKnown: () => boolean;
}

interface Stream extends EventReader {
  readonly line: AnswerLine;
}

interface Change {
  readonly sequence: number;
  readonly rowId: number;
}

/**
 * Sends changes to POS programs and tools as they happen: `operation` for each changed operation, `status` for the
 * agent as a whole, and `reset` when missed changes are no longer kept and the reader must read everything again.
 */
export function createEvents({ core, clock, runId, versions }: EventsOptions): Events {
  const changes: Change[] = [];
  const streams = new Set<Stream>();
  let sequence = 0;

  const unsubscribe = core.onChange((change) => {
    if (change.type === 'operation') {
      sequence += 1;
      changes.push({ sequence, rowId: change.rowId });
      if (changes.length > keptChanges) changes.shift();
    }
    if (streams.size > 0) tell(change);
  });

  function tell(change: AgentChange): void {
    if (change.type === 'status') {
      const text = statusEvent();
      tellAll(() => text);
      return;
    }
    for (const operation of known(change.rowId)) {
      const isOver = hasEnded(operation);
      for (const stream of streams) {
        if (isOver && stream.isStillKnown() && stream.hasTaken(operation)) core.heardTheEnd(operation.rowId);
      }
      tellAll(
        (prefixes) => operationEvent(operation, prefixes),
        ({ sees }) => sees(operation),
      );
    }
  }

  function hasEnded(operation: Operation): boolean {
    return statusOf(core.standingFor(operation)) !== 'pending';
  }

  /** What a change is one of: those in whose place the operation stands are told by it, too, and come first. */
  function known(rowId: number): readonly Operation[] {
    const operation = core.operation(rowId);
    if (operation === null) return [];
    const { replacesRowId } = operation;
    return replacesRowId === null ? [operation] : [...known(replacesRowId), operation];
  }

  function tellAll(textFor: (prefixes: readonly string[]) => string, isFor?: (reader: EventReader) => boolean): void {
    for (const stream of streams) tellOne(stream, textFor, isFor);
  }

  function tellOne(
    stream: Stream,
    textFor: (prefixes: readonly string[]) => string,
    isFor: (reader: EventReader) => boolean = () => true,
  ): void {
    if (!stream.isStillKnown()) stream.line.end();
    else if (isFor(stream)) stream.line.write(textFor(stream.referencePrefixes));
  }

  function event(name: string, data: object, prefixes: readonly string[] = []): string {
    const json = withoutPrefix(prefixes, JSON.stringify(data));
    return `id: ${runId}-${sequence}\nevent: ${name}\ndata: ${json}\n\n`;
  }

  function operationEvent(operation: Operation, prefixes: readonly string[]): string {
    return event('operation', operationBody(operation, core.standingFor(operation)), prefixes);
  }

  function statusEvent(): string {
    return event('status', agentStatusBody(core.status(), versions));
  }

  /** The changes since an id: each operation once, as it is now. */
  function missedSince(lastId: string | null, { referencePrefixes, sees, hasTaken }: EventReader): string {
    if (lastId === null) return '';
    const [run, seen = ''] = lastId.split(/-(?=\d+$)/);
    const oldest = changes[0]?.sequence ?? sequence + 1;
    if (run !== runId || Number(seen) < oldest - 1) return event('reset', {});
    const rowIds = new Set(changes.filter((change) => change.sequence > Number(seen)).map(({ rowId }) => rowId));
    const operations = new Map([...rowIds].flatMap(known).map((operation) => [operation.rowId, operation]));
    const told = [...operations.values()].filter(sees);
    for (const operation of told) {
      if (hasTaken(operation) && hasEnded(operation)) core.heardTheEnd(operation.rowId);
    }
    return told.map((operation) => operationEvent(operation, referencePrefixes)).join('');
  }

  return {
    answer(request, search, reader) {
      const asked = new URLSearchParams(search).get('last_event_id');
      const lastId = request.header('last-event-id') ?? asked;
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
        body: null,
        stream(line) {
          line.write(`retry: 2000\n\n${missedSince(lastId, reader)}${statusEvent()}`);
          const stream: Stream = { ...reader, line };
          streams.add(stream);
          let cancelBeat: CancelTimer = () => undefined;
          const beat = () => {
            cancelBeat = clock.setTimer(() => {
              tellOne(stream, () => ': still here\n\n');
              beat();
            }, heartbeatMs);
          };
          beat();
          return () => {
            cancelBeat();
            streams.delete(stream);
          };
        },
      };
    },
    close() {
      unsubscribe();
      streams.clear();
    },
  };
}

/**
 * The short form of an operation. The reader gets the whole operation by its id, where it makes a transaction. What may
 * be asked for again has a reference of the agent's own, so the caller's is told. What became of it is told by the row
 * that stands for it, as in a read; `state` and `cause` are its own.
 */
function operationBody(operation: Operation, standing: Operation): object {
  return {
    transaction_id: operation.transactionId,
    service_transaction_id: operation.serviceTransactionId,
    intent: operation.intent,
    external_ref: askedReference(operation),
    state: operation.state,
    status: statusOf(standing),
    cause: operation.cause,
    error: standing.error,
    updated_at: toInstant(operation.updatedAtMs),
  };
}
