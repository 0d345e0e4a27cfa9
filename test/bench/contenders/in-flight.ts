// Many tills at once: how many sales a second reach the disk, beside one commit for each and beside plainjob?
import { join } from 'node:path';
import { z } from 'zod';
import type { NewEarn } from '../../../app/operations/intake/save-outcome.ts';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { inTurns } from '../measure.ts';
import { openPlainInsert } from '../plain-insert.ts';
import { openPlainJobs } from '../plain-jobs.ts';
import { createSales } from '../sample-earns.ts';
import { openSavingFloor } from '../saving-floor.ts';

const input = contenderInput(
  z.object({
    dataDir: z.string(),
    rounds: z.int(),
    producers: z.int(),
    earnsPerRound: z.int(),
    commitEachPerRound: z.int(),
    /** Who runs, of those below. */
    contenders: z.array(z.string()),
  }),
);
const nextEarns = createSales();

const core = benchCore(input.dataDir);

async function byProducers(save: (earn: NewEarn) => Promise<void>): Promise<number> {
  const earns = nextEarns(input.earnsPerRound);
  let next = 0;
  const produce = async () => {
    for (let earn = earns[next++]; earn !== undefined; earn = earns[next++]) await save(earn);
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: input.producers }, produce));
  return perSecond(earns.length, startMs);
}

const agent = () =>
  byProducers(async (earn) => {
    const outcome = await core.saveEarn(earn);
    if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
  });

const plain = openPlainInsert(join(input.dataDir, 'commit-each.sqlite'));

function commitEach(): number {
  const inserts = plain.prepare(input.commitEachPerRound);
  const startMs = performance.now();
  for (const insert of inserts) insert();
  return perSecond(inserts.length, startMs);
}

/** The first step of the floor: nobody has to be told apart, and each commit has as many as there are producers. */
function commitForAll(): number {
  const inserts = plain.prepare(input.earnsPerRound);
  const startMs = performance.now();
  for (let next = 0; next < inserts.length; next += input.producers) {
    plain.together(inserts.slice(next, next + input.producers));
  }
  return perSecond(inserts.length, startMs);
}

const made = openPlainInsert(join(input.dataDir, 'made.sqlite'));

/** What is left when each row is made and sealed, too. */
function madeForAll(): number {
  const earns = nextEarns(input.earnsPerRound);
  const startMs = performance.now();
  for (let next = 0; next < earns.length; next += input.producers) {
    made.save(earns.slice(next, next + input.producers));
  }
  return perSecond(earns.length, startMs);
}

const saving = openSavingFloor(join(input.dataDir, 'floor.sqlite'));
const floor = () => byProducers((earn) => saving.save(earn));

const { queue } = openPlainJobs(join(input.dataDir, 'plainjob.sqlite'));

function plainjob(): number {
  const bodies = nextEarns(input.earnsPerRound).map(({ request }) => ({
    ...request,
    external_ref: 'salmiya-till1-abcde-20261120-100000',
  }));
  const startMs = performance.now();
  for (const body of bodies) queue.add('earn', body);
  return perSecond(bodies.length, startMs);
}

const all: Readonly<Record<string, () => Promise<number> | number>> = {
  agent,
  commitEach,
  commitForAll,
  madeForAll,
  floor,
  plainjob,
};
const contenders = Object.fromEntries(Object.entries(all).filter(([name]) => input.contenders.includes(name)));
for (const warmUp of Object.values(contenders)) await warmUp();
await answer(await inTurns(input.rounds, contenders));
await core.close();
plain.close();
made.close();
saving.close();
queue.close();

function perSecond(count: number, startMs: number): number {
  return (count / (performance.now() - startMs)) * 1_000;
}
