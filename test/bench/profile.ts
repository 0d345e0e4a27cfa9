import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { startBuiltAgent } from './agent-program.ts';
import { originsOfBundle } from './bundle-origins.ts';
import { runContender, startBenchService } from './contender.ts';
import { drainWithAgent } from './drains.ts';
import { comparedCalls, loadService, startSandbox } from './http-services.ts';
import { type NamedTime, profileSchema, timeByFile, timeByFunction } from './profile-times.ts';
import { fillBacklog } from './sample-earns.ts';
import type { WorkFolder } from './work-folder.ts';

type Profiled = (work: WorkFolder, nodeFlags: readonly string[]) => Promise<unknown>;

const anything = z.unknown();

const profiled: Readonly<Record<string, Profiled>> = {
  async drain(work, nodeFlags) {
    const rows = 30_000;
    const file = fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now() });
    const service = await startBenchService();
    try {
      await drainWithAgent(work, { file, rows, baseUrl: service.baseUrl, nodeFlags });
    } finally {
      await service.stop();
    }
  },
  enqueue: (work, nodeFlags) =>
    runContender({
      name: 'enqueue',
      input: { dataDir: work.folder('enqueue'), rounds: 5, earnsPerRound: 2_000 },
      result: anything,
      nodeFlags,
    }),
  'in-flight': (work, nodeFlags) =>
    runContender({
      name: 'in-flight',
      input: {
        dataDir: work.folder('in-flight'),
        rounds: 5,
        producers: 16,
        earnsPerRound: 16_000,
        commitEachPerRound: 100,
        contenders: ['agent'],
      },
      result: anything,
      nodeFlags,
    }),
  bridge: async (work, nodeFlags) => {
    const agent = await startBuiltAgent(work.folder('bridge'), { mode: 'production', nodeFlags });
    const port = Number(new URL(agent.baseUrl).port);
    const service = { port, prefix: '/v1', apiKey: agent.token, stop: () => agent.stop() };
    await loadService(service, { call: comparedCalls.earn, calls: 60_000, connections: 256 });
    await service.stop();
  },
  identify: async (_, nodeFlags) => {
    const sandbox = await startSandbox({ nodeFlags });
    await loadService(sandbox, { call: comparedCalls.identify, calls: 100_000 });
    await sandbox.stop();
  },
  sandbox: async (_, nodeFlags) => {
    const sandbox = await startSandbox({ nodeFlags });
    await loadService(sandbox, { call: comparedCalls.earn, calls: 100_000 });
    await sandbox.stop();
  },
};

export const profileNames: readonly string[] = Object.keys(profiled);

const shownFunctions = 40;
const shownFiles = 30;

/** Runs one contender under the CPU profiler; gives the files and the functions that took most time, as two tables. */
export async function profile(name: string, work: WorkFolder): Promise<string> {
  const folder = join(work.path, '..', 'profiles', name);
  mkdirSync(folder, { recursive: true });
  const before = new Set(readdirSync(folder));
  await profiled[name]?.(work, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const file = readdirSync(folder).find((entry) => !before.has(entry));
  if (file === undefined) throw new Error(`No profile was written to ${folder}`);
  const path = join(folder, file);
  const written = profileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const files = timeByFile(written, await originsOfBundle(work.folder('maps')));
  return `${[
    'By function, itself:',
    table(timeByFunction(written), shownFunctions),
    'By file, with what it had SQLite, Node and packages do:',
    table(files, shownFiles),
    `${path}\n(open it in Chrome's DevTools, Performance, or in an editor)`,
  ].join('\n\n')}\n`;
}

function table(times: readonly NamedTime[], shown: number): string {
  const totalMs = times.reduce((sum, { ms }) => sum + ms, 0);
  return times
    .slice(0, shown)
    .map(
      ({ name, ms }) => `${((ms / totalMs) * 100).toFixed(1).padStart(5)} %  ${ms.toFixed(0).padStart(6)} ms  ${name}`,
    )
    .join('\n');
}
