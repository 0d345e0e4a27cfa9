import { z } from 'zod';
import { toInstant } from '../../shared/lib/clock.ts';
import type {
  activityInputSchema,
  activityPartSchema,
  OperationDetail,
  WhereTaken,
} from '../../shared/till/activity-views.ts';
import { tillCommands } from '../../shared/till/api.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { isUnreadable, parsedBody } from '../operations/requests/row-request.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { ActivityFilter } from '../store/tables/activity.ts';
import { command, type Handlers } from './command.ts';
import { maskedBody } from './masked-body.ts';
import { operationView } from './operation-view.ts';
import { noSuchOperation, succeeded } from './replies.ts';

/** The commands of the list of all operations. */
export function activityHandlers(core: AgentCore): Handlers<'activity.list' | 'activity.show'> {
  return {
    'activity.list': command(tillCommands['activity.list'], (input) => succeeded(activityPart(core, input))),
    'activity.show': command(tillCommands['activity.show'], ({ operation_id }) => {
      const operation = core.operationById(operation_id);
      if (operation === null) return noSuchOperation;
      return succeeded(operationDetail(core, operation));
    }),
  };
}

/** A part of the operations, newest first. The customers are masked. */
export function activityPart(
  source: Pick<AgentCore, 'activity' | 'sentRequest' | 'triesBefore'>,
  input: z.output<typeof activityInputSchema>,
): z.output<typeof activityPartSchema> {
  const {
    states,
    found,
    business_date,
    text,
    customer,
    limit,
    before_row,
    with_origins,
    kind,
    employee_ref,
    fold_tries,
  } = input;
  const filter: ActivityFilter = {
    ...(states === undefined ? {} : { states }),
    ...(found === undefined ? {} : { isFound: found }),
    ...(business_date === undefined ? {} : { businessDate: business_date }),
    ...(text === undefined ? {} : { text }),
    ...(customer === undefined ? {} : { customer }),
    ...(kind === undefined ? {} : { kind }),
    ...(employee_ref === undefined ? {} : { employeeRef: employee_ref }),
    foldsTries: fold_tries,
  };
  const page = { limit, ...(before_row === undefined ? {} : { beforeRowId: before_row }) };
  const { operations, beforeRowId } = source.activity(filter, page);
  return {
    operations: operations.map(operationView),
    tries: fold_tries ? triesOf(source, operations) : [],
    before_row: beforeRowId,
    origins: with_origins ? operations.map((operation) => whereTaken(source, operation)) : [],
  };
}

function triesOf(
  source: Pick<AgentCore, 'triesBefore'>,
  operations: readonly Operation[],
): z.output<typeof activityPartSchema>['tries'] {
  return operations.flatMap(({ operationId, rowId, state, delivery }) => {
    const before = state === 'cancelled' && delivery === 'immediate' ? source.triesBefore(rowId) : 0;
    return before === 0 ? [] : [{ operation_id: operationId, count: before + 1 }];
  });
}

const refSchema = z.string().nullable().catch(null);
const takenAtSchema = z
  .object({ branch_ref: refSchema, device_ref: refSchema, employee_ref: refSchema })
  .catch({ branch_ref: null, device_ref: null, employee_ref: null });

function whereTaken(source: Pick<AgentCore, 'sentRequest'>, operation: Operation): WhereTaken {
  const sent = source.sentRequest(operation.rowId);
  return {
    business_date: sent?.businessDate ?? '',
    ...takenAtSchema.parse(parsedBody(sent?.body ?? null)),
    program: operation.posName,
  };
}

/** Everything that is known of one operation. */
export function operationDetail(
  source: Pick<AgentCore, 'sentRequest' | 'history'>,
  operation: Operation,
): OperationDetail {
  const sent = source.sentRequest(operation.rowId);
  return {
    operation: operationView(operation),
    request: {
      origin: operation.origin,
      pos_name: operation.posName,
      path: sent?.path ?? '',
      body: maskedBody(parsedBody(sent?.body ?? null)),
      is_readable: !isUnreadable(sent?.body ?? null),
      body_version: sent?.bodyVersion ?? 1,
      sends: sent?.sends ?? 0,
      business_date: sent?.businessDate ?? '',
      occurred_at_from: sent?.occurredAtFrom ?? 'till',
      till_time: toInstant(sent?.tillTimeMs ?? operation.savedAtMs),
      clock_skew_ms: sent?.clockSkewMs ?? null,
    },
    answer: maskedBody(operation.answer),
    history: source.history(operation.rowId).map((entry) => ({
      from: entry.from,
      to: entry.to,
      at: toInstant(entry.atMs),
      attempt: entry.send,
      cause: entry.cause,
      http_status: entry.httpStatus,
      code: entry.code,
      request_id: entry.requestId,
      reason: entry.reason,
      person: entry.person,
    })),
  };
}
