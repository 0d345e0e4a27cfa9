import { type EndpointName, endpoints } from '../../shared/contract/endpoints.ts';
import type { Route } from '../../shared/contract/router.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { agentStatusBody } from './agent-status.ts';
import { lateReadFailure } from './answer-time.ts';
import { jsonAnswer } from './answers.ts';
import { answerEarn } from './earn.ts';
import { type BridgeHandler, endpointRoute } from './endpoint-route.ts';
import type { Events } from './events.ts';
import { officeClosed, officePath } from './office.ts';
import { hasTaken, sees } from './reach.ts';
import {
  answerByReference,
  answerHistory,
  answerIdentify,
  answerTransaction,
  byReferenceLate,
  identifyLate,
} from './reads.ts';
import { receiptRoute } from './receipt.ts';
import { prefixesOf } from './reference-prefix.ts';
import { answerReverse, answerReverseById } from './reversals.ts';
import { screenSaleRoutes } from './screen-sale.ts';
import { answerCommit, answerEnroll, answerRedeem, answerRelease, answerReserve, answerVerify } from './writes.ts';

export interface RouteOptions {
  readonly core: AgentCore;
  /** A new id for an operation that a POS program hands in. */
  readonly newOperationId: () => string;
  readonly events: Pick<Events, 'answer'>;
  /** The versions by component, for `GET /v1/agent/status`. */
  readonly versions: Readonly<Record<string, string>>;
}

/** All paths of the bridge: the thirteen calls of the specification, and the agent's own. */
export function bridgeRoutes({
  core,
  newOperationId,
  events,
  versions,
}: RouteOptions): readonly Route<BridgeHandler>[] {
  const byEndpoint: Readonly<Record<EndpointName, Route<BridgeHandler>>> = {
    earn: endpointRoute(core, endpoints.earn, (call) => answerEarn(core, call, newOperationId()), { isTimed: true }),
    identify: endpointRoute(core, endpoints.identify, (call) => answerIdentify(core, call), {
      whenLate: (call) => identifyLate(core, call, lateReadFailure()),
    }),
    transaction: endpointRoute(core, endpoints.transaction, (call) => answerTransaction(core, call)),
    transactionsByReference: endpointRoute(
      core,
      endpoints.transactionsByReference,
      (call) => answerByReference(core, call),
      { whenLate: (call) => byReferenceLate(core, call, lateReadFailure()) },
    ),
    history: endpointRoute(core, endpoints.history, (call) => answerHistory(core, call)),
    enroll: endpointRoute(core, endpoints.enroll, (call) => answerEnroll(core, call, newOperationId())),
    verify: endpointRoute(core, endpoints.verify, (call) => answerVerify(core, call, newOperationId())),
    redeem: endpointRoute(core, endpoints.redeem, (call) => answerRedeem(core, call, newOperationId()), {
      isTimed: true,
    }),
    reverse: endpointRoute(core, endpoints.reverse, (call) => answerReverse(core, call, newOperationId)),
    reverseById: endpointRoute(core, endpoints.reverseById, (call) => answerReverseById(core, call, newOperationId())),
    reserve: endpointRoute(core, endpoints.reserve, (call) => answerReserve(core, call, newOperationId())),
    commit: endpointRoute(core, endpoints.commit, (call) => answerCommit(core, call, newOperationId()), {
      isTimed: true,
    }),
    release: endpointRoute(core, endpoints.release, (call) => answerRelease(core, call, newOperationId())),
  };
  return [
    ...Object.values(byEndpoint),
    ...screenSaleRoutes(core),
    receiptRoute(core),
    {
      method: 'GET',
      path: '/v1/agent/status',
      target: () => jsonAnswer(200, agentStatusBody(core.status(), versions)),
    },
    {
      method: 'GET',
      path: '/v1/agent/events',
      target: (request, { search, caller, callerNow }) =>
        events.answer(request, search, {
          referencePrefixes: prefixesOf(caller),
          isStillKnown: () => callerNow() !== null,
          sees: (operation) => {
            const now = callerNow();
            return now !== null && sees(core, now, operation);
          },
          hasTaken: (operation) => {
            const now = callerNow();
            return now !== null && hasTaken(now, operation);
          },
        }),
    },
    { method: 'POST', path: officePath, target: officeClosed },
  ];
}
