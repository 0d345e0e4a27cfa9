import { z } from 'zod';

/** How far a contender was, and when: seconds since its start, and rows done by then. */
export type Progress = z.output<typeof progressSchema>;

export const progressSchema = z.array(z.tuple([z.number(), z.int()])).readonly();

const lookEveryMs = 25;

/** Looks at a count from now on, some forty times a second. */
export function watchProgress(count: () => number): { stop(): Progress } {
  const points: [number, number][] = [[0, 0]];
  const startMs = performance.now();
  const look = (): void => {
    points.push([Number(((performance.now() - startMs) / 1_000).toFixed(3)), count()]);
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return points;
    },
  };
}
