import { statSync } from 'node:fs';

const lookEveryMs = 2;

/** Watches a file that another program writes. */
interface SizeWatch {
  /** The greatest size that was seen, in bytes; 0 when there was no such file. */
  greatestBytes(): number;
  stop(): void;
}

/** From outside of the program that writes: it may make the file large and small again without a look between. */
export function watchSize(path: string): SizeWatch {
  let greatest = 0;
  const look = (): void => {
    greatest = Math.max(greatest, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    greatestBytes() {
      look();
      return greatest;
    },
    stop: () => clearInterval(timer),
  };
}
