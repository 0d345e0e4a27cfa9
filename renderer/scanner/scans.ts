/** Where a scan goes that no field asked for. */
export interface Scans {
  /**
   * A screen that asks for scans itself (a badge, the scanner's self-test) has them while it stands; the last that
   * asked comes first.
   *
   * @returns a function that gives them back
   */
  readonly ask: (onScan: (code: string) => void) => () => void;
  /** @returns whether somebody had asked for it; if not, it is a customer's card for the sale */
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
