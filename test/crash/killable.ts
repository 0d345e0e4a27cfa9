import { Dispatcher } from 'undici';
import { inProcessDispatcher } from '../../app/service/faces/in-process.ts';
import { CounterShop } from '../support/counter-shop.ts';
import type { StatementWatch } from './statement-watch.ts';

/** Something that was told to whoever asked, before the kill. */
export interface Told {
  readonly what: string;
  readonly kind: string;
  readonly outcome: unknown;
}

class Killed extends Error {}

/**
 * A counter whose agent dies after so many effects. An effect is what outlives a process: a commit, and a write that
 * went out on the line. Between two of them a kill leaves the same world behind, wherever it strikes; so that killing
 * after the first, after the second, and so on until the work is done, meets everything that a kill can leave.
 */
export class KillableShop {
  readonly shop: CounterShop;
  readonly told: Told[] = [];
  readonly #watch: StatementWatch;
  /** Effects until the kill; null before it is armed. */
  #left: number | null = null;
  #image: string | null = null;
  #life = 1;
  #effects: string[] = [];

  constructor(watch: StatementWatch) {
    this.#watch = watch;
    this.shop = new CounterShop((line) => new WatchedLine(line, this));
  }

  get isDead(): boolean {
    return this.#image !== null;
  }

  /** What happened until the kill, in words. */
  get effects(): string {
    return this.#effects.join(', ');
  }

  /** From now on effects count. */
  killAfter(effects: number): void {
    this.#left = effects;
    this.#watch.onCommitted = () => this.effect('commit');
    if (effects === 0) this.kill();
  }

  effect(what: string): void {
    if (this.#left === null || this.isDead) return;
    this.#effects.push(what);
    this.#left -= 1;
    if (this.#left === 0) this.kill();
  }

  /** Asks, and notes what was answered; lets time pass meanwhile. @throws Killed when the agent dies before */
  async ask<T extends { readonly kind: string }>(what: string, asking: () => Promise<T>): Promise<T> {
    this.#stopIfDead();
    const life = this.#life;
    let outcome: T | null = null;
    void asking().then(
      (answer) => {
        outcome = answer;
        if (!this.isDead && life === this.#life) this.told.push({ what, kind: answer.kind, outcome: answer });
      },
      () => undefined,
    );
    for (;;) {
      await this.shop.quiet();
      this.#stopIfDead();
      if (life !== this.#life) throw new Killed('The agent that was asked was killed');
      if (outcome !== null) return outcome;
      this.shop.clock.advance(250);
    }
  }

  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 250) {
      this.#stopIfDead();
      await this.shop.pass(250);
    }
    this.#stopIfDead();
  }

  /** @returns whether the work ended before the kill */
  async work(script: () => Promise<void>): Promise<boolean> {
    try {
      await script();
      return true;
    } catch (error) {
      if (error instanceof Killed) return false;
      throw error;
    } finally {
      this.#left = null;
      this.#watch.onCommitted = null;
    }
  }

  /**
   * What was on the line arrives, and a new agent starts on what the disk held.
   *
   * @param killAfter effects after which it dies too, those of its start among them
   */
  async comeBack(killAfter: number | null = null): Promise<void> {
    await this.shop.quiet();
    this.shop.crash(this.#image ?? this.shop.image());
    this.#image = null;
    this.#life += 1;
    this.#effects.push('comes back');
    if (killAfter !== null) this.killAfter(killAfter);
    this.shop.start();
  }

  /** The agent dies here: what the disk holds now is what the next one starts on. */
  kill(): void {
    if (!this.isDead) this.#image = this.shop.image();
  }

  #stopIfDead(): void {
    if (this.isDead) throw new Killed('The agent was killed');
  }
}

class WatchedLine extends Dispatcher {
  readonly #line: Dispatcher;
  readonly #shop: KillableShop;

  constructor(line: Dispatcher, shop: KillableShop) {
    super();
    this.#line = line;
    this.#shop = shop;
  }

  /** The dead send nothing. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#shop.isDead) return cutLine(this.#shop).dispatch(options, handler);
    const isTaken = this.#line.dispatch(options, handler);
    if (options.method === 'POST') this.#shop.effect(options.path.replace('/v1', ''));
    return isTaken;
  }
}

function cutLine({ shop }: KillableShop): Dispatcher {
  const line = inProcessDispatcher(shop.service);
  void line.destroy();
  return line;
}
