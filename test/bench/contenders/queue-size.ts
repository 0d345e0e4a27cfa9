// The agent's core and store over a short queue and over one as long as it may be: what do a save, a claim and the
// status cost in each?
import { join } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../../../app/machine/clock.ts';
import { systemRandom } from '../../../app/machine/random.ts';
import { Marker } from '../../../app/operations/delivery/marker.ts';
import { Suspects } from '../../../app/operations/delivery/suspects.ts';
import { putBack } from '../../../app/operations/settlement/settlement.ts';
import { openStore } from '../../../app/store/store.ts';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { inTurns, percentile } from '../measure.ts';
import { createSales } from '../sample-earns.ts';

const input = contenderInput(
  z.object({
    smallDir: z.string(),
    largeDir: z.string(),
    rounds: z.int(),
    savesPerRound: z.int(),
    claimsPerRound: z.int(),
  }),
);
const claimSize = 64;
/** A full queue takes no sale, and this one is full by the product's own number. */
const roomForSales = 2_000_000;
const statusCalls = 2_000;
const clock = systemClock();
const nextSales = createSales();

/** Claims for sending, as the sender does, and puts back what it has claimed. Both are commits; the claim is timed. */
function claims(dataDir: string) {
  const store = openStore(join(dataDir, 'production.sqlite'), { random: systemRandom() });
  const { operations, rows, writer } = store;
  const marker = new Marker({
    operations,
    rows,
    writer,
    clock,
    waits: clock,
    keyFingerprint: 'bench',
    correction: { apply: (rows) => rows },
    suspects: new Suspects(),
  });
  return {
    close: (): void => store.close(),
    claimP50Us: async (): Promise<number> => {
      const times: number[] = [];
      for (let claim = 0; claim < input.claimsPerRound; claim += 1) {
        const startMs = performance.now();
        const rows = await marker.mark({ room: claimSize, taken: [], gate: 'open', isQuick: false, looksFar: false });
        times.push((performance.now() - startMs) * 1_000);
        if (rows.length !== claimSize) throw new Error(`${rows.length} of ${claimSize} sales could be claimed`);
        await writer.urgent(() => {
          for (const row of rows) operations.change(putBack(row, clock.now()));
        });
      }
      return percentile(times, 50);
    },
  };
}

function saves(dataDir: string) {
  const core = benchCore(dataDir, { maxQueue: roomForSales });
  return {
    core,
    saveP50Us: async (): Promise<number> => {
      const times: number[] = [];
      for (const sale of nextSales(input.savesPerRound)) {
        const startMs = performance.now();
        const outcome = await core.saveEarn(sale);
        times.push((performance.now() - startMs) * 1_000);
        if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
      }
      return percentile(times, 50);
    },
    statusUs: (): number => {
      const startMs = performance.now();
      for (let call = 0; call < statusCalls; call += 1) core.status();
      return ((performance.now() - startMs) / statusCalls) * 1_000;
    },
  };
}

async function measured(contenders: Readonly<Record<'small' | 'large', () => Promise<number> | number>>) {
  await inTurns(1, contenders);
  return inTurns(input.rounds, contenders);
}

const [smallClaims, largeClaims] = [claims(input.smallDir), claims(input.largeDir)];
const claim = await measured({ small: smallClaims.claimP50Us, large: largeClaims.claimP50Us });
smallClaims.close();
largeClaims.close();
const [small, large] = [saves(input.smallDir), saves(input.largeDir)];
const save = await measured({ small: small.saveP50Us, large: large.saveP50Us });
const status = await measured({ small: small.statusUs, large: large.statusUs });
await answer({ claim, save, status });
await Promise.all([small.core.close(), large.core.close()]);
process.exit();
