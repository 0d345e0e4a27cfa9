import type { TillAnswer, TillApi, TillCommandName, TillError, TillEvent } from '../../shared/till/api.ts';

/** A question of the page that waits for its answer. */
export interface Asked {
  readonly command: TillCommandName;
  readonly input: unknown;
  answer<C extends TillCommandName>(command: C, value: TillAnswer<C>): Promise<void>;
  refuse(code: TillError['code']): Promise<void>;
}

/** An agent whose every answer comes when a test says so: in any order, or never. */
export class AskedApi implements TillApi {
  readonly asked: Asked[] = [];
  readonly #listeners = new Set<(event: TillEvent) => void>();

  call: TillApi['call'] = (command, input) =>
    new Promise((resolve) => {
      const settled = () => new Promise<void>((done) => setImmediate(done));
      this.asked.push({
        command,
        input,
        answer(of, value) {
          if (String(of) !== command) throw new Error(`It was ${command} that was asked`);
          // The test has named the command, and the compiler has held the value against it.
          resolve({ ok: true, value: value as never });
          return settled();
        },
        refuse(code) {
          resolve({ ok: false, error: { code, message: 'made by the test' } });
          return settled();
        },
      });
    });

  onEvent: TillApi['onEvent'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onLink: TillApi['onLink'] = (listener) => {
    listener('open');
    return () => undefined;
  };

  tell(event: TillEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The newest question of that command. */
  newest(command: TillCommandName): Asked {
    const found = this.asked.findLast((one) => one.command === command);
    if (found === undefined) throw new Error(`Nobody has asked ${command}`);
    return found;
  }
}
