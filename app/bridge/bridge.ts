import { splitTarget } from '../../shared/contract/request-parts.ts';
import { createRouter, type RouteMatch } from '../../shared/contract/router.ts';
import { challengeShape } from '../http/office-proof.ts';
import type { Reply } from './answers.ts';
import { type Failure, failureAnswer, invalidInput, jsonAnswer } from './answers.ts';
import { type Authentication, admit, authenticate, type DoorRules, preflightHeaders } from './door.ts';
import { type OfficeAnswerer, officeHandler, officePath, officeRoot } from './office.ts';
import type { BridgeAnswer, BridgeRequest } from './request-and-answer.ts';
import { bridgeRoutes, type RouteOptions } from './routes.ts';

interface BridgeOptions extends RouteOptions {
  readonly door: DoorRules;
  /** Answers what store IT asks of this agent. */
  readonly office: OfficeAnswerer;
  /**
   * Proves to a caller that this is the agent of its data folder: see openProvenLine. @param challenge already checked
   */
  readonly prove: (challenge: string) => string;
  readonly newRequestId: () => string;
  /** Called for each request with an unknown token; for the calls of store IT, with one that is not theirs. */
  readonly onWrongToken?: (door: 'bridge' | 'office') => void;
  /** Called for a fault of the agent itself, which the caller sees as 500 INTERNAL. */
  readonly onFault: (error: unknown, requestId: string) => void;
}

export type Bridge = (request: BridgeRequest) => Promise<BridgeAnswer>;

/** The interface for POS programs: the specification's own paths, shapes and errors, answered by the agent. */
export function createBridge(options: BridgeOptions): Bridge {
  const { door, newRequestId, onFault } = options;
  const route = createRouter(bridgeRoutes(options));
  const officeRoute = createRouter([{ method: 'POST', path: officePath, target: officeHandler(options.office) }]);

  return async (request) => {
    const requestId = newRequestId();
    const admission = admit(request, door);
    if (admission.kind === 'refused') return identified(failureAnswer(admission.failure, requestId), requestId, {});
    const { corsHeaders } = admission;
    const answer = await answerAdmitted(request, requestId);
    return identified(answer, requestId, corsHeaders);
  };

  async function answerAdmitted(request: BridgeRequest, requestId: string): Promise<BridgeAnswer> {
    const { path, search } = splitTarget(request.target);
    if (request.method === 'OPTIONS' && request.header('origin') !== undefined) {
      return { status: 204, headers: preflightHeaders, body: null };
    }
    // Some monitors ask for the head alone.
    if (path === '/healthz' && (request.method === 'GET' || request.method === 'HEAD'))
      return jsonAnswer(200, { status: 'ok' });
    if (path === '/v1/agent/proof' && request.method === 'GET') return proofAnswer(search, requestId);
    try {
      const authentication = authenticate(request, door);
      tellWrongToken(request, { path, authentication });
      if (authentication.kind === 'refused') return failureAnswer(authentication.failure, requestId);
      request.recognized?.();
      const callerNow = () => {
        const now = authenticate(request, door);
        return now.kind === 'pos' ? now.caller : null;
      };
      const reply =
        authentication.kind === 'office'
          ? await answerMatch(officeRoute(request.method, path), (target, params) => target(request, params))
          : await answerMatch(route(request.method, path), (target, params) =>
              target(request, { search, caller: authentication.caller, callerNow, params }),
            );
      return 'code' in reply ? failureAnswer(reply, requestId) : reply;
    } catch (error) {
      onFault(error, requestId);
      const message = 'The agent has a fault. Its log has the details.';
      return failureAnswer({ status: 500, code: 'INTERNAL', message }, requestId);
    }
  }

  function tellWrongToken(
    request: BridgeRequest,
    { path, authentication }: { readonly path: string; readonly authentication: Authentication },
  ): void {
    const isOffice = path.startsWith(officeRoot);
    const isWrong = isOffice ? authentication.kind !== 'office' : authentication.kind === 'refused';
    if (isWrong && request.header('authorization') !== undefined)
      options.onWrongToken?.(isOffice ? 'office' : 'bridge');
  }

  function proofAnswer(search: string, requestId: string): BridgeAnswer {
    const challenge = new URLSearchParams(search).get('challenge') ?? '';
    if (challengeShape.test(challenge)) return jsonAnswer(200, { proof: options.prove(challenge) });
    const problem = 'must be 32 to 64 letters, digits, dashes or underscores';
    return failureAnswer(invalidInput([{ field: 'challenge', problem }]), requestId);
  }
}

function answerMatch<Target>(
  match: RouteMatch<Target>,
  answer: (target: Target, params: Readonly<Record<string, string>>) => Promise<Reply> | Reply,
): Promise<Reply> | Reply {
  switch (match.kind) {
    case 'found':
      return answer(match.target, match.params);
    case 'bad_path':
      return invalidInput([match.problem]);
    case 'wrong_method':
      return wrongMethod(match.allowed);
    case 'unknown_path':
      return { status: 404, code: 'VALIDATION_ERROR', message: 'There is no such path. The calls are under /v1.' };
  }
}

function wrongMethod(allowed: readonly string[]): Failure {
  const allow = allowed.join(', ');
  return {
    status: 405,
    code: 'VALIDATION_ERROR',
    message: `This path accepts ${allow} only.`,
    headers: { allow },
  };
}

/** Under the request's id, where the answer has not brought the service's. */
function identified(
  answer: BridgeAnswer,
  requestId: string,
  corsHeaders: Readonly<Record<string, string>>,
): BridgeAnswer {
  return { ...answer, headers: { 'x-request-id': requestId, ...answer.headers, ...corsHeaders } };
}
