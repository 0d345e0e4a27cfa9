/** The names by which a program on this machine reaches a loopback server. */
const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a Host header names this very server. A web page that had its own name point at 127.0.0.1 (DNS rebinding)
 * sends that name here and is told apart by it.
 *
 * @param host the header as it came
 * @param port the port that the server listens on
 */
export function isLoopbackHost(host: string | undefined, port: number): boolean {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host ?? '');
  if (match === null) return false;
  const [, name = '', givenPort] = match;
  return loopbackNames.has(name.toLowerCase()) && Number(givenPort ?? 80) === port;
}
