import { harmless } from '../machine/harmless-text.ts';

/**
 * Everything that this process writes from now on is shown, never obeyed: references, names and messages come from other
 * programs. Here and not where something is printed, so that no command can forget it. An output that takes nothing, as on
 * a full disk, ends no process: the agent sells on.
 */
export function guardTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => undefined);
    const write = stream.write.bind(stream);
    Object.assign(stream, {
      write: (given: unknown, ...rest: readonly unknown[]): unknown =>
        Reflect.apply(write, undefined, [typeof given === 'string' ? harmless(given) : given, ...rest]),
    });
  }
}
