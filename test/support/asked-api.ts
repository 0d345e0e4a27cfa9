import type { TillApi, TillCommandName, TillError, TillEvent, TillLink, TillReply } from '../../shared/till/api.ts';

/** A question of the page that waits for its answer. */
interface Asked {
  readonly command: TillCommandName;
  readonly input: Readonly<Record<string, unknown>>;
  /** With as much of an answer as the test needs. */
  answer(value: object): Promise<void>;
  refuse(code: TillError['code'], more?: Pick<TillError, 'details' | 'field'>): Promise<void>;
}

/** An agent whose every answer comes when a test says so: in any order, or never. */
export class AskedApi implements TillApi {
  readonly asked: Asked[] = [];
  readonly #listeners = new Set<(event: TillEvent) => void>();
  readonly #links = new Set<(link: TillLink) => void>();

  call: TillApi['call'] = (command, input) =>
    new Promise((resolve) => {
      const settled = () => new Promise<void>((done) => setImmediate(done));
      this.asked.push({
        command,
        input: { ...input },
        answer(value) {
          resolve({ ok: true, value } as TillReply<never>);
          return settled();
        },
        refuse(code, more = {}) {
          resolve({ ok: false, error: { code, message: 'made by the test', ...more } });
          return settled();
        },
      });
    });

  onEvent: TillApi['onEvent'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onLink: TillApi['onLink'] = (listener) => {
    this.#links.add(listener);
    return () => this.#links.delete(listener);
  };

  tell(event: TillEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The line to it is there. */
  open(): void {
    for (const listener of this.#links) listener('open');
  }

  /** The newest question of that command. */
  newest(command: TillCommandName): Asked {
    const found = this.asked.findLast((one) => one.command === command);
    if (found === undefined) throw new Error(`Nobody has asked ${command}`);
    return found;
  }
}
