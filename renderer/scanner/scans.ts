/** Decides who gets a scan that no field asked for. */
export interface Scans {
  /**
   * Gives the scans to a screen that asks for them (a badge, the scanner's self-test). The screen that asked last gets
   * them.
   *
   * @returns a function that ends this
   */
  readonly ask: (onScan: (code: string) => void) => () => void;
  /** @returns whether a screen had asked for it; if not, the code is a customer's card for the sale */
  readonly take: (code: string) => boolean;
}

export function createScans(): Scans {
  let asking: readonly ((code: string) => void)[] = [];
  return {
    ask(onScan) {
      asking = [...asking, onScan];
      return () => {
        asking = asking.filter((other) => other !== onScan);
      };
    },
    take(code) {
      const last = asking.at(-1);
      last?.(code);
      return last !== undefined;
    },
  };
}
