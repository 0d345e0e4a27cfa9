import { expect } from 'vitest';
import { type AttachedTill, attachTill, newWindowName } from '../../main/attach/attached-till.ts';
import { type TillAnswer, type TillCommandName, type TillInput, tillCommands } from '../../shared/till/api.ts';

/** What a window of another process does, without its page. */
export interface AttachedWindow extends AttachedTill {
  /** A question that has to be answered well. */
  ask<C extends TillCommandName>(command: C, input: TillInput<C>): Promise<TillAnswer<C>>;
  opened(): Promise<void>;
}

export function openAttachedWindow(folder: string, version: string, login = 'mona'): AttachedWindow {
  const till = attachTill({ folder, version, name: newWindowName(login) });
  return {
    get state() {
      return till.state;
    },
    handle: (message) => till.handle(message),
    onEvent: (listener) => till.onEvent(listener),
    onState: (listener) => till.onState(listener),
    close: () => till.close(),
    async ask(command, input) {
      const reply = await till.handle({ command, input });
      if (!reply.ok) throw new Error(`${command}: ${JSON.stringify(reply.error)}`);
      return tillCommands[command].answer.parse(reply.value) as TillAnswer<typeof command>;
    },
    opened: () => expect.poll(() => till.state.kind, { timeout: 20_000 }).toBe('open'),
  };
}
