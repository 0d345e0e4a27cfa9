import { loadMissingStyles } from './missing-styles.ts';

/** How Chromium tells of a module that did not come, with its address at the end. */
const didNotCome = /^Failed to fetch dynamically imported module: (\S+)$/;

interface AnotherTry<Module> {
  readonly importFrom: (address: string) => Promise<Module>;
  readonly loadStyles: () => Promise<void>;
}

const inThisPage = {
  importFrom: <Module>(address: string): Promise<Module> => import(/* @vite-ignore */ address),
  loadStyles: loadMissingStyles,
};

/**
 * Makes an `import()` one that can be tried again. Chromium remembers of an address that no module came from it, as long
 * as the page lives. So the next try asks under another address: the same one with a number behind it.
 *
 * @param load imports the module under its own address
 * @returns imports the module; rejects when it does not come, and may then be called again
 */
export function fetchCode<Module>(
  load: () => Promise<Module>,
  { importFrom, loadStyles }: AnotherTry<Module> = inThisPage,
): () => Promise<Module> {
  let address: string | null = null;
  let failures = 0;
  return async () => {
    try {
      if (failures > 0) await loadStyles();
      return await (address === null ? load() : importFrom(`${address}?again=${failures}`));
    } catch (error) {
      failures += 1;
      address ??= didNotCome.exec(error instanceof Error ? error.message : '')?.[1] ?? null;
      throw error;
    }
  };
}
