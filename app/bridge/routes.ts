import { type Endpoint, type EndpointName, endpoints } from '../../shared/contract/endpoints.ts';
import type { Route } from '../../shared/contract/router.ts';
import type { AgentCore } from '../agent-core.ts';
import { agentStatusBody } from './agent-status.ts';
import { jsonAnswer } from './answers.ts';
import { answerEarn } from './earn.ts';
import { type BridgeHandler, endpointRoute, type Reply } from './endpoint-route.ts';
import { answerByReference, answerHistory, answerIdentify, answerTransaction } from './reads.ts';

export interface RouteOptions {
  readonly core: AgentCore;
  /** A new id for an operation that a POS program hands in. */
  readonly newOperationId: () => string;
  /** By component, for `GET /v1/agent/status`. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Every path behind the door: the thirteen calls of the specification, and the agent's own. */
export function bridgeRoutes({ core, newOperationId, versions }: RouteOptions): readonly Route<BridgeHandler>[] {
  const byEndpoint: Readonly<Record<EndpointName, Route<BridgeHandler>>> = {
    earn: endpointRoute(endpoints.earn, (call) => answerEarn(core, call, newOperationId())),
    identify: endpointRoute(endpoints.identify, (call) => answerIdentify(core, call)),
    transaction: endpointRoute(endpoints.transaction, (call) => answerTransaction(core, call)),
    transactionsByReference: endpointRoute(endpoints.transactionsByReference, (call) => answerByReference(core, call)),
    history: endpointRoute(endpoints.history, (call) => answerHistory(core, call)),
    enroll: notOffered(endpoints.enroll),
    verify: notOffered(endpoints.verify),
    redeem: notOffered(endpoints.redeem),
    reverse: notOffered(endpoints.reverse),
    reverseById: notOffered(endpoints.reverseById),
    reserve: notOffered(endpoints.reserve),
    commit: notOffered(endpoints.commit),
    release: notOffered(endpoints.release),
  };
  return [
    ...Object.values(byEndpoint),
    {
      method: 'GET',
      path: '/v1/agent/status',
      target: () => jsonAnswer(200, agentStatusBody(core.status(), versions)),
    },
  ];
}

// The writes that this version does not carry. Nothing of such a request is kept or sent.
function notOffered(endpoint: Endpoint): Route<BridgeHandler> {
  const reply: Reply = {
    status: 501,
    code: 'INTERNAL',
    retryable: false,
    message: `${endpoint.method} ${endpoint.path} is not offered by this version of the agent; nothing was done.`,
    details: ['not_offered'],
  };
  return { method: endpoint.method, path: `/v1${endpoint.path}`, target: () => reply };
}
