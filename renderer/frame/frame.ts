import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi, TillLink } from '../../shared/till/api.ts';
import type { ConnectionState, Locale, TillState } from '../../shared/till/views.ts';
import type { Copy } from '../copy/copy.ts';
import type { Words } from '../copy/en/start.ts';
import { type Format, makeFormat } from '../copy/format.ts';

/** A screen of the till, by its name in the words: also the values of `data-screen`. */
export type Screen = keyof Words['screens'];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

type Remembered = 'theme' | 'locale' | 'shift';

/** What the page itself remembers between two starts. */
export interface Memory {
  read(key: Remembered): string | null;
  write(key: Remembered, value: string): void;
}

/** Everything around the screens. */
export interface Frame {
  readonly link: ReadonlySignal<TillLink>;
  /** Null until the agent has sent it. */
  readonly till: ReadonlySignal<TillState | null>;
  /** Whether the first state was shown and the page had time since. Then what is needed later may be loaded. */
  readonly isCalm: ReadonlySignal<boolean>;
  readonly becomesCalm: () => void;
  /** How many parts of the screen were asked for and do not come (`loadLater`). */
  readonly missingParts: Signal<number>;
  /** The connection that the screen acts upon. Without the agent it is offline. */
  readonly connection: ReadonlySignal<ConnectionState>;
  /** The language that the screen is in. */
  readonly locale: ReadonlySignal<Locale>;
  readonly copy: Copy;
  readonly words: ReadonlySignal<Words>;
  readonly format: ReadonlySignal<Format>;
  /** The agent's time, which in the sandbox follows the test clock. */
  readonly nowMs: ReadonlySignal<number>;
  /** The service's time, as far as the agent knows it. */
  readonly serviceNowMs: ReadonlySignal<number>;
  /** The page's own time, once a second, for what only the screen counts down. */
  readonly monotonicMs: ReadonlySignal<number>;
  readonly theme: ReadonlySignal<Theme>;
  readonly screen: ReadonlySignal<Screen>;
  /** @returns whether the screen is shown now; another screen may ask first before it is left */
  readonly show: (screen: Screen) => boolean;
  /**
   * Lets a screen with unsaved changes ask before it is left.
   *
   * @param ask returns true when it has asked; `leave` is for a yes
   * @returns a function that ends this
   */
  readonly beforeLeaving: (ask: (leave: () => void) => boolean) => () => void;
  readonly setTheme: (theme: Theme) => void;
  readonly setLocale: (locale: Locale) => void;
}

interface FrameParts {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly memory: Memory;
  /** The words in the language that was shown last. */
  readonly copy: Copy;
}

const tickMs = 1000;
const readAgainMs = 1000;

export function createFrame({ api, clock, memory, copy }: FrameParts): Frame {
  const link: Signal<TillLink> = signal('connecting');
  const till: Signal<TillState | null> = signal(null);
  const isCalm = signal(false);
  const receivedAtMs = signal(0);
  const monotonicMs = signal(clock.monotonicMs());
  const chosenLocale: Signal<Locale | null> = signal(null);
  let localesAsked = 0;
  const theme: Signal<Theme> = signal(themes.find((name) => name === memory.read('theme')) ?? 'system');
  const screen: Signal<Screen> = signal('sale');
  let askBeforeLeaving: ((leave: () => void) => boolean) | null = null;
  const rememberedLocale = copy.locale.peek();

  const take = (state: TillState): void => {
    receivedAtMs.value = clock.monotonicMs();
    monotonicMs.value = receivedAtMs.value;
    // The language was set elsewhere since, so a choice of this page that was not saved is over.
    if (localesAsked === 0 && till.value !== null && state.locale !== till.value.locale) chosenLocale.value = null;
    till.value = state;
    memory.write('locale', state.locale);
  };
  const read = async (): Promise<void> => {
    const reply = await api.call('state.read', {});
    if (reply.ok) take(reply.value);
    else if (link.value === 'open') clock.setTimer(() => void read(), readAgainMs);
  };
  const tick = (): void => {
    monotonicMs.value = clock.monotonicMs();
    clock.setTimer(tick, tickMs);
  };

  api.onEvent((event) => {
    if (event.type === 'state') take(event.state);
  });
  api.onLink((next) => {
    // What depends on the link asks after this: the state comes first.
    if (next === 'open') void read();
    link.value = next;
  });
  clock.setTimer(tick, tickMs);

  const { locale } = copy;
  effect(() => copy.show(chosenLocale.value ?? till.value?.locale ?? rememberedLocale));
  const timeZone = computed(() => till.value?.time_zone ?? 'UTC');
  const nowMs = computed(() => {
    const state = till.value;
    if (state === null) return clock.now();
    const now = Date.parse(state.now);
    return state.clock_runs ? now + (monotonicMs.value - receivedAtMs.value) : now;
  });
  return {
    link,
    till,
    isCalm,
    becomesCalm() {
      isCalm.value = true;
    },
    missingParts: signal(0),
    connection: computed(() => (link.value === 'open' ? (till.value?.connection.state ?? 'checking') : 'checking')),
    locale,
    copy,
    words: computed(() => copy.wordsOf('start')),
    format: computed(() => makeFormat(locale.value, timeZone.value)),
    nowMs,
    serviceNowMs: computed(() => nowMs.value + (till.value?.service_ahead_ms ?? 0)),
    monotonicMs,
    screen,
    show(next) {
      const leave = (): void => {
        screen.value = next;
      };
      if (next !== screen.value && askBeforeLeaving?.(leave) === true) return false;
      leave();
      return true;
    },
    beforeLeaving(ask) {
      askBeforeLeaving = ask;
      return () => {
        if (askBeforeLeaving === ask) askBeforeLeaving = null;
      };
    },
    theme,
    setTheme: (next) => {
      theme.value = next;
      memory.write('theme', next);
    },
    setLocale: (next) => {
      // The language is shown at once. After the agent's answer the agent's language counts again.
      chosenLocale.value = next;
      memory.write('locale', next);
      localesAsked += 1;
      void api.call('locale.set', { locale: next }).then((reply) => {
        localesAsked -= 1;
        const state = till.value;
        if (reply.ok && state !== null) till.value = { ...state, locale: next };
        if (reply.ok && chosenLocale.value === next) chosenLocale.value = null;
      });
    },
  };
}
