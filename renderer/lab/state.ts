import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillApi, TillCommandName, TillError, TillInput } from '../../shared/till/api.ts';
import type { LabCommandName } from '../../shared/till/lab-commands.ts';
import type {
  LabClock,
  LabCode,
  LabExchange,
  LabFault,
  LabKey,
  LabOverview,
  LabRequest,
} from '../../shared/till/lab-views.ts';
import { bringAbout } from './bring-about.ts';
import type { Situation } from './situations.ts';

export const sections = ['practice', 'customers', 'codes', 'clock', 'faults', 'requests', 'keys', 'rules'] as const;
export type Section = (typeof sections)[number];

/** The page keeps no more requests than this. */
const mostRequests = 500;
const followMs = 1000;
/** How often the customers are read again while they are shown, because each sale changes balances. */
const customersMs = 4000;

interface LabKeys {
  readonly keys: readonly LabKey[];
  readonly ownKey: string | null;
}

/** Why the last press failed, and in which part of the lab it was made. */
interface LabFailure {
  readonly section: Section;
  readonly error: TillError;
}

export interface Lab {
  readonly section: ReadonlySignal<Section>;
  readonly show: (section: Section) => void;
  /** Each is null until it was read. */
  readonly overview: ReadonlySignal<LabOverview | null>;
  readonly time: ReadonlySignal<LabClock | null>;
  readonly codes: ReadonlySignal<readonly LabCode[] | null>;
  readonly faults: ReadonlySignal<readonly LabFault[] | null>;
  /** Newest first. */
  readonly requests: ReadonlySignal<readonly LabRequest[] | null>;
  readonly keys: ReadonlySignal<LabKeys | null>;
  readonly exchange: ReadonlySignal<LabExchange | null>;
  readonly isPaused: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<LabFailure | null>;
  /** Whether a press is being sent. Another press waits until then. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Does what a button says, then reads again. @returns null when it was refused; `failure` says why */
  readonly act: <C extends LabCommandName & TillCommandName>(
    command: C,
    input: TillInput<C>,
  ) => Promise<TillAnswer<C> | null>;
  readonly forget: () => void;
  /** Whether the screen asks if the sandbox is to be reset. */
  readonly isResetAsked: ReadonlySignal<boolean>;
  readonly askReset: (isAsked: boolean) => void;
  readonly choose: (situation: Situation) => Promise<void>;
  /** The chosen situation, until it has come about. */
  readonly wanted: ReadonlySignal<Situation | null>;
  readonly pause: (isPaused: boolean) => void;
  readonly clearRequests: () => Promise<void>;
  readonly open: (requestId: string) => Promise<void>;
  readonly close: () => void;
  /** The sandbox was changed: reads everything again that is in view. */
  readonly changed: () => void;
  /** Follows the sandbox. @returns a function that ends this */
  readonly start: () => () => void;
}

/** The state of the lab while it is on the screen. */
export function createLab({ api, clock }: { readonly api: TillApi; readonly clock: Clock }): Lab {
  const section: Signal<Section> = signal('practice');
  const overview: Signal<LabOverview | null> = signal(null);
  const time: Signal<LabClock | null> = signal(null);
  const codes: Signal<readonly LabCode[] | null> = signal(null);
  const faults: Signal<readonly LabFault[] | null> = signal(null);
  const requests: Signal<readonly LabRequest[] | null> = signal(null);
  const keys: Signal<LabKeys | null> = signal(null);
  const exchange: Signal<LabExchange | null> = signal(null);
  const isPaused = signal(false);
  const isBusy = signal(false);
  const isResetAsked = signal(false);
  const failure: Signal<LabFailure | null> = signal(null);
  let cancelFollowing: CancelTimer = () => undefined;
  let customersReadAtMs = 0;
  const wanted: Signal<Situation | null> = signal(null);
  let isChoosing = false;

  const readOverview = async (): Promise<void> => {
    customersReadAtMs = clock.monotonicMs();
    const reply = await api.call('lab.read', {});
    if (reply.ok) overview.value = reply.value;
  };
  const readTime = async (): Promise<void> => {
    const reply = await api.call('lab.clock', {});
    if (reply.ok) time.value = reply.value;
  };
  const readCodes = async (): Promise<void> => {
    const reply = await api.call('lab.codes', {});
    if (reply.ok) codes.value = reply.value.data;
  };
  const readFaults = async (): Promise<void> => {
    const reply = await api.call('lab.faults', {});
    if (reply.ok) faults.value = reply.value.data;
  };
  const readKeys = async (): Promise<void> => {
    const reply = await api.call('lab.keys', {});
    if (reply.ok) keys.value = { keys: reply.value.data, ownKey: reply.value.own_key };
  };
  /** Reads all requests, or only those since the last reading. */
  const readRequests = async ({ all }: { readonly all: boolean }): Promise<void> => {
    const newest = all ? undefined : requests.value?.[0]?.request_id;
    const after = newest === undefined ? {} : { after: newest };
    const reply = await api.call('lab.requests', { limit: mostRequests, ...after });
    if (!reply.ok) return;
    const known = newest === undefined ? [] : (requests.value ?? []);
    // Another reading may have brought some of them meanwhile.
    const seen = new Set(known.map((request) => request.request_id));
    const fresh = reply.value.data.filter((request) => !seen.has(request.request_id));
    if (all || fresh.length > 0 || requests.value === null) {
      requests.value = [...fresh, ...known].slice(0, mostRequests);
    }
  };

  const readAll = async (): Promise<void> => {
    const reads = [readFaults(), readTime(), readCodes()];
    if (['practice', 'customers', 'rules'].includes(section.value) || overview.value === null) {
      reads.push(readOverview());
    }
    if (section.value === 'keys') reads.push(readKeys());
    if (section.value === 'requests' && !isPaused.value) reads.push(readRequests({ all: true }));
    await Promise.all(reads);
  };

  const follow = async (): Promise<void> => {
    // These two are always read, because their counts beside the parts' names are always in view.
    const reads = [readFaults(), readCodes()];
    if (section.value === 'clock') reads.push(readTime());
    if (section.value === 'requests' && !isPaused.value) reads.push(readRequests({ all: false }));
    if (section.value === 'customers' && clock.monotonicMs() - customersReadAtMs >= customersMs) {
      reads.push(readOverview());
    }
    await Promise.all(reads);
  };

  const act: Lab['act'] = async (command, input) => {
    if (isBusy.value) return null;
    isBusy.value = true;
    const at = section.value;
    const reply = await api.call(command, input);
    failure.value = reply.ok ? null : { section: at, error: reply.error };
    // Another press would be one on what was shown before.
    await readAll();
    isBusy.value = false;
    return reply.ok ? reply.value : null;
  };

  return {
    section,
    overview,
    time,
    codes,
    faults,
    requests,
    keys,
    exchange,
    isPaused,
    isBusy,
    failure,
    act,
    show(next) {
      section.value = next;
      failure.value = null;
      void readAll();
    },
    forget() {
      failure.value = null;
    },
    isResetAsked,
    askReset(isAsked) {
      failure.value = null;
      isResetAsked.value = isAsked;
    },
    wanted,
    async choose(situation) {
      wanted.value = situation;
      if (isChoosing) return;
      isChoosing = true;
      let target: Situation | null;
      // A trainer may choose another situation meanwhile. Then that one is brought about next.
      do {
        failure.value = null;
        target = wanted.value;
        const error = target === null ? null : await bringAbout(api, target);
        if (error !== null) failure.value = { section: 'practice', error };
        await readAll();
      } while (target !== wanted.value);
      isChoosing = false;
      wanted.value = null;
    },
    pause(next) {
      isPaused.value = next;
      if (!next) void readRequests({ all: true });
    },
    async clearRequests() {
      if ((await act('lab.clear_requests', {})) !== null) requests.value = [];
    },
    async open(requestId) {
      const reply = await api.call('lab.request', { request_id: requestId });
      if (reply.ok) exchange.value = reply.value;
      else failure.value = { section: 'requests', error: reply.error };
    },
    close() {
      exchange.value = null;
    },
    changed: () => void readAll(),
    start() {
      let isOver = false;
      const again = (): void => {
        cancelFollowing = clock.setTimer(() => {
          void follow().then(() => {
            if (!isOver) again();
          });
        }, followMs);
      };
      void readAll();
      again();
      return () => {
        isOver = true;
        cancelFollowing();
      };
    },
  };
}
