import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Part } from '../copy/parts.ts';
import { useModel } from '../model.ts';
import { fetchCode } from '../shell/fetch-code.ts';

/** The agent may be back after this time. */
const loadAgainMs = 1_000;

/**
 * A component whose code is fetched when it is first shown, so that rarely needed code does not slow every start. The
 * code comes from the agent on this machine, so it comes almost at once. When the agent is gone, it is asked for again.
 *
 * @param load imports the file of the component
 * @param parts the words that the component shows, apart from those of the first load
 */
export function loadLater<Module, Props extends object>(
  load: () => Promise<Module>,
  componentOf: (module: Module) => ComponentType<Props>,
  ...parts: readonly Part[]
): ComponentType<Props> {
  const fetchModule = fetchCode(load);
  let loaded: ComponentType<Props> | null = null;
  return function LoadedLater(props: Props) {
    const { clock, frame } = useModel();
    const [, setIsLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (loaded !== null) {
        // The code may have come for another one of these between this one's first drawing and this effect.
        setIsLoaded(true);
        return undefined;
      }
      let isGone = false;
      let isMissed = false;
      let cancelTimer = (): void => undefined;
      const miss = (isNow: boolean): void => {
        if (isNow !== isMissed) frame.missingParts.value += isNow ? 1 : -1;
        isMissed = isNow;
      };
      const tryIt = (): void => {
        Promise.all([fetchModule(), ...parts.map(frame.copy.need)]).then(
          ([module]) => {
            loaded = componentOf(module);
            if (isGone) return;
            miss(false);
            setIsLoaded(true);
          },
          () => {
            if (isGone) return;
            miss(true);
            cancelTimer = clock.setTimer(tryIt, loadAgainMs);
          },
        );
      };
      tryIt();
      return () => {
        isGone = true;
        miss(false);
        cancelTimer();
      };
    }, [clock, frame]);
    const Loaded = loaded;
    return Loaded === null ? null : <Loaded {...props} />;
  };
}
