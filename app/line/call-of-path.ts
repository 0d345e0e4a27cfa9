import { type AnswerOf, type EndpointName, endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { createRouter } from '../../shared/contract/router.ts';

type WriteName = Exclude<EndpointName, 'identify' | 'history' | 'transaction' | 'transactionsByReference'>;

/** What the service may say of any write. */
export type WriteAnswer = AnswerOf<WriteName>;

const findWrite = createRouter(
  endpointNames
    .filter((name): name is WriteName => endpoints[name].kind === 'write')
    .map((name) => ({ method: endpoints[name].method, path: endpoints[name].path, target: name })),
);

/** The call behind a frozen path, and what the path names. */
export function callOfPath(path: string): {
  readonly name: WriteName;
  readonly params: Readonly<Record<string, string>>;
} {
  const match = findWrite('POST', path);
  if (match.kind !== 'found') throw new Error(`${path} is no write of the specification`);
  return { name: match.target, params: match.params };
}
