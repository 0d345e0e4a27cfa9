import { splitTarget } from '../../../shared/contract/request-parts.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { errorText } from '../../../shared/lib/error-code.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { ServiceContext } from '../context.ts';
import type { ControlHandler, IncomingControlCall } from '../control/control.ts';
import type { ServiceLog } from '../log.ts';
import type { TestClock } from '../time/test-clock.ts';
import { askedError } from './asked-error.ts';
import type { Delays } from './delays.ts';
import type { IncomingCall, Outcome, OutgoingAnswer } from './exchange.ts';
import type { FaultEffect, Faults } from './faults.ts';
import { namedReference } from './named-reference.ts';
import { controlPath } from './paths.ts';
import { type ReceivedCall, receiveCall } from './received-call.ts';
import type { RequestLog } from './request-log.ts';
import { type AdmittedCall, admit, type Door } from './serve.ts';
import type { Turn } from './turn.ts';
import type { WriteAnswer } from './write-answer.ts';
import type { WriteGroup } from './write-group.ts';

interface PipelineParts {
  readonly context: ServiceContext;
  readonly testClock: TestClock;
  /** Real time: durations are not the sandbox's own. */
  readonly hostClock: Clock;
  readonly door: Door;
  readonly control: ControlHandler;
  /** A call to the control API has changed something. */
  readonly onControlled: () => void;
  readonly faults: Faults;
  readonly delays: Delays;
  readonly requestLog: RequestLog;
  readonly log: ServiceLog;
  readonly writeGroup: WriteGroup;
  readonly turn: Turn;
  readonly writeAnswer: WriteAnswer;
}

/** How a call ends. Each makes the answer and its line of the log. */
interface Ends {
  readonly answer: (result: Result | 'none') => Outcome;
  readonly failed: (error: unknown) => Outcome;
}

interface Pipeline {
  /** From a call to its outcome: the faults that strike it, the answer, the request log. */
  readonly exchange: (call: IncomingCall) => Promise<Outcome>;
  /** Ends the delays that faults have made. Calls that wait are dropped, for nothing more is carried out. */
  close(): void;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const { context, testClock, door, control, writeAnswer } = parts;
  let isClosed = false;

  function tellOf(error: unknown, requestId: string): void {
    parts.log.error({ err: error, request_id: requestId }, 'A call failed inside the service');
  }

  function catchUp(): void {
    try {
      testClock.catchUp();
    } catch {
      // It cannot always be done (a full disk): the agenda has told of it and tries again, and this call goes on.
    }
  }

  /**
   * A write joins the others that are here; what has become due happens before any of them.
   *
   * @param fault what strikes the call, if anything does
   * @param answer makes the answer and its line of the log, in the turn in which the call is carried out: what a tester
   *   asks for next finds both. It is given `none` when the service was closed meanwhile
   */
  async function serve(
    call: ReceivedCall,
    fault: FaultEffect | null,
    answer: (result: Result | 'none') => Outcome,
  ): Promise<Outcome> {
    const failed = (error: unknown): Outcome => {
      tellOf(error, call.requestId);
      return answer(refuse('INTERNAL', 'Something went wrong inside the service.'));
    };
    let admitted: AdmittedCall | Refusal | 'none';
    try {
      admitted = beforeWrite(context, call, fault) ?? admit(context, door, call);
    } catch (error) {
      return failed(error);
    }
    if (admitted === 'none' || admitted.kind === 'refused') return answer(admitted);
    return parts.turn.take(() => look(admitted, { answer, failed }));
  }

  /** Holds a call against the contract, and carries it out where it is a read. @returns the step that answers */
  function look(admitted: AdmittedCall, { answer, failed }: Ends): () => Outcome | Promise<Outcome> {
    try {
      if (isClosed) return () => answer('none');
      const fitting = admitted.read();
      if (fitting.kind === 'refused') return () => answer(fitting);
      if (admitted.isWrite) {
        return () => parts.writeGroup.run(() => fitting.run(), { committed: answer, failed });
      }
      catchUp();
      const result = fitting.run();
      return () => answer(result);
    } catch (error) {
      return () => failed(error);
    }
  }

  /** What a tester asks for comes after every call that came before it. */
  function serveControl(call: IncomingControlCall, requestId: string): Result {
    try {
      parts.turn.flush();
      parts.writeGroup.flush();
      catchUp();
      return control(call);
    } catch (error) {
      tellOf(error, requestId);
      // Whoever holds the sandbox may know why: it is their disk.
      const reason = errorText(error);
      return refuse('INTERNAL', `Nothing was changed, for something went wrong inside the service: ${reason}`);
    }
  }

  async function exchange(incoming: IncomingCall): Promise<Outcome> {
    const requestId = context.makeId('req');
    const { path, search } = splitTarget(incoming.target);
    const relative = controlPath(path);
    if (relative !== null) {
      const result = serveControl({ incoming, path: relative, search }, requestId);
      if (result.kind === 'done' && incoming.method !== 'GET') parts.onControlled();
      return respond(writeAnswer(result, requestId));
    }
    const startedMs = parts.hostClock.monotonicMs();
    const timeMs = testClock.now();
    const call = receiveCall(incoming, requestId);
    const isAuthenticated = (): boolean =>
      door.keyring.authenticate(incoming.header('authorization'), incoming.address) !== null;
    const fault = parts.faults.take({
      method: incoming.method,
      path: call.isForService ? call.path : null,
      isAuthenticated,
      isAbout: (externalRef) =>
        externalRef === call.externalRef() || externalRef === namedReference(context.store, call),
    });
    if (fault?.type === 'delay') {
      // A delay strikes a call with a good key only.
      incoming.recognized?.();
      if (!(await parts.delays.pass(fault.ms))) return { kind: 'dropped' };
    }
    const answer = (result: Result | 'none'): Outcome => {
      const outcome = strike(fault, result === 'none' ? null : result, (given) => writeAnswer(given, requestId));
      const note = result !== 'none' && result.kind === 'done' ? result.note : undefined;
      const response = outcome.kind === 'response' || outcome.kind === 'partial' ? outcome.response : null;
      // A stranger's body stays unread.
      const mayReadBody = fault !== null || call.bodyWasRead() || isAuthenticated();
      const logged = {
        time_ms: timeMs,
        method: incoming.method,
        path: call.path,
        status: response?.status ?? null,
        duration_ms: parts.hostClock.monotonicMs() - startedMs,
        request_id: requestId,
        external_ref: note?.externalRef ?? (mayReadBody ? call.externalRef() : call.queryRef()),
        duplicate: note?.duplicate ?? false,
        payload_differs: note?.payloadDiffers ?? false,
        fault: fault?.type ?? null,
      };
      parts.requestLog.add(logged, { query: call.search, request: incoming.body, answer: response?.body ?? null });
      return outcome;
    };
    return serve(call, fault, answer);
  }

  return {
    exchange,
    close() {
      isClosed = true;
      parts.delays.cutShort();
    },
  };
}

/** What a fault makes of a call before the rules see it; null to let it through, `none` when nothing answers. */
function beforeWrite(context: ServiceContext, call: ReceivedCall, fault: FaultEffect | null): Refusal | 'none' | null {
  if (fault?.type === 'offline' || fault?.type === 'drop_request') return 'none';
  return fault?.type === 'error' ? askedError(context, call, fault) : null;
}

/** What a fault makes of the answer. */
function strike(fault: FaultEffect | null, result: Result | null, write: (result: Result) => OutgoingAnswer): Outcome {
  if (fault?.type === 'offline') return { kind: 'no_connection' };
  if (result === null || fault?.type === 'drop_response') return { kind: 'dropped' };
  if (fault?.type === 'malformed_response') return respond(write(done(200, { unexpected: true })));
  const response = write(result);
  return fault?.type === 'partial_response' ? { kind: 'partial', response } : respond(response);
}

function respond(response: OutgoingAnswer): Outcome {
  return { kind: 'response', response };
}
