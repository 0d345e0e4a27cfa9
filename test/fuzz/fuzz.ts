import { type Door, type DoorName, openDoor } from './doors.ts';
import type { FuzzOptions } from './flags.ts';
import { growth, inMebibytes } from './memory-trend.ts';
import type { Memory } from './subject.ts';

interface Played {
  readonly name: DoorName;
  readonly door: Door;
  readonly measured: Memory[];
  readonly tally: Map<string, number>;
}

/**
 * Plays batches at the doors in turns, until the time is up or something is not well.
 *
 * @returns what was not well, each with the way to see it again; empty when all was
 */
export async function fuzz(
  { doors, seed, batches, durationMs, messages }: FuzzOptions,
  tell: (line: string) => void,
): Promise<readonly string[]> {
  const startedAtMs = performance.now();
  const played: Played[] = [];
  const problems: string[] = [];
  try {
    for (const name of doors) played.push({ name, door: await openDoor(name), measured: [], tally: new Map() });
    for (let batch = 0; batch < batches && performance.now() - startedAtMs < durationMs; batch += 1) {
      for (const one of played) problems.push(...(await playBatch(one, seed + batch)));
      if (problems.length > 0) break;
    }
    for (const { name, measured } of played) {
      const grown = growth(measured);
      if (grown !== null) problems.push(`${name}: ${grown}; first seed ${seed}`);
    }
  } finally {
    for (const { door } of played) await door.close();
  }
  for (const { name, measured, tally } of played) {
    const heaps = measured.map(({ heapBytes }) => inMebibytes(heapBytes));
    const rss = measured.map(({ rssBytes }) => inMebibytes(rssBytes));
    tell(`${name}: ${measured.length} batches of ${messages}, first seed ${seed}`);
    tell(`  answers ${[...tally].map(([answer, count]) => `${answer}: ${count}`).join(', ')}`);
    tell(`  MiB after gc ${thinned(heaps)}; RSS ${thinned(rss)}`);
  }
  return problems;

  async function playBatch({ name, door, measured, tally }: Played, batchSeed: number): Promise<readonly string[]> {
    const { problems: found, tally: counts } = await door.play({ seed: batchSeed, count: messages });
    for (const [answer, count] of Object.entries(counts)) tally.set(answer, (tally.get(answer) ?? 0) + count);
    if (found.length === 0) measured.push(await door.memory());
    const again = `npm run fuzz -- --doors ${name} --seed ${batchSeed} --batches 1 --messages ${messages}`;
    return found.map((problem) => `${name}: ${problem}\n  once more: ${again}`);
  }
}

/** A dozen of many. */
function thinned(values: readonly string[]): string {
  const step = Math.ceil(values.length / 12);
  return values.filter((_, index) => index % step === 0 || index === values.length - 1).join(' ');
}
