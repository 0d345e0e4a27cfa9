import { endpointNames, endpoints } from '../../../shared/contract/endpoints.ts';
import { createRouter, type RouteMatch } from '../../../shared/contract/router.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type Refusal, refuse, refuseFields } from '../answer.ts';

/** Finds the endpoint of a call, by its method and its path relative to `base_url`. */
export const findEndpoint = createRouter(
  endpointNames.map((name) => ({ method: endpoints[name].method, path: endpoints[name].path, target: name })),
);

/** A path that is not there, or not for this method. */
export function refuseRoute(match: Exclude<RouteMatch<unknown>, { kind: 'found' }>): Refusal {
  switch (match.kind) {
    case 'unknown_path':
      return refuse('VALIDATION_ERROR', 'There is nothing at this path.', { status: 404 });
    case 'bad_path':
      return refuseFields([match.problem]);
    case 'wrong_method': {
      const Allow = match.allowed.join(', ');
      return refuse('VALIDATION_ERROR', `This path takes ${Allow} only.`, { status: 405, headers: { Allow } });
    }
    default:
      return assertNever(match);
  }
}
