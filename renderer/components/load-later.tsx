import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * A component whose code is fetched when it is first shown: what is seldom needed does not slow every start down. It is
 * of the page's own files, so it is there within a blink.
 */
export function loadLater<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LoadedLater(props: Props) {
    const [, setIsLoaded] = useState(loaded !== null);
    useEffect(() => {
      let isGone = false;
      if (loaded !== null) return undefined;
      void load().then((component) => {
        loaded = component;
        if (!isGone) setIsLoaded(true);
      });
      return () => {
        isGone = true;
      };
    }, []);
    const Loaded = loaded;
    return Loaded === null ? null : <Loaded {...props} />;
  };
}
