import type { Service } from '../../app/service/service.ts';

/** A call of the control API, or of the service itself with the service's own key. */
export async function callService(
  service: Pick<Service, 'handle' | 'apiKey'>,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: object | undefined },
) {
  const answer = await service.handle(
    new Request(`http://sandbox.invalid${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  return (await answer.json()) as any;
}
