import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from './files.ts';

const runningAgentSchema = z.object({ base_url: z.url(), pid: z.int() });
/** Where the agent of a data folder can be reached; left behind when it was killed. */
export type RunningAgentFacts = z.infer<typeof runningAgentSchema>;

function path(dataDir: string): string {
  return join(dataDir, 'agent.json');
}

export function tellRunningAgent(dataDir: string, facts: RunningAgentFacts): void {
  writePrivateFile(path(dataDir), `${JSON.stringify(facts)}\n`);
}

export function forgetRunningAgent(dataDir: string): void {
  rmSync(path(dataDir), { force: true });
}

/** @returns null when no agent says that it runs on that folder */
export function findRunningAgent(dataDir: string): RunningAgentFacts | null {
  try {
    return runningAgentSchema.parse(JSON.parse(readTextFile(path(dataDir)) ?? 'null'));
  } catch {
    return null;
  }
}
