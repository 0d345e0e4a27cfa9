import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { toInstant } from '../../shared/lib/clock.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { Held } from '../config/held-settings.ts';
import { crashDumps } from '../machine/crash-dumps.ts';
import { readTextFile } from '../machine/files.ts';
import { programFacts } from '../machine/program-facts.ts';
import { isSecretName } from '../machine/secrets.ts';
import { type BundleDump, type BundlePart, redacted } from './bundle.ts';
import { logFiles } from './check-machine.ts';
import type { Finding } from './finding.ts';

/** So many operations, the newest, are in a bundle. */
const operationLimit = 1_000;

/** Where the parts of a support bundle come from: a running agent itself, or whoever looks at its folder. */
interface BundleSource {
  readonly dataDir: string;
  readonly nowMs: number;
  readonly held: Held;
  readonly findings: readonly Finding[];
  /** The body of `GET /v1/agent/status`; null when no agent runs. */
  readonly status: unknown;
  /** Newest first, in parts. */
  readonly operations: () => AsyncIterable<readonly OperationView[]> | Iterable<readonly OperationView[]>;
}

/** Everything that helps to find a fault, without keys, tokens and customers' data. */
export async function gatherBundle(source: BundleSource): Promise<readonly BundlePart[]> {
  const { dataDir, nowMs, held, findings, status } = source;
  const about = { ...programFacts(), made_at: toInstant(nowMs), running: status !== null };
  const parts: BundlePart[] = [
    part('about.json', about),
    part('doctor.json', findings),
    part('settings.json', settingsFacts(held)),
  ];
  if (status !== null) parts.push(part('status.json', status));
  parts.push(await operationsPart(source));
  for (const file of logFiles(dataDir)) {
    parts.push({ name: `logs/${basename(file)}`, text: redacted(readFileSync(file, 'utf8')) });
  }
  const crashes = crashDumps(dataDir).map(({ name, bytes, atMs }) => ({ name, bytes, at: toInstant(atMs) }));
  if (crashes.length > 0) parts.push(part('crashes.json', crashes));
  return parts;
}

/** What crashed processes have left: memory, which may hold customers. It is packed only for somebody who asks for it. */
export function gatherDumps(dataDir: string): readonly BundleDump[] {
  return crashDumps(dataDir).map(({ name, path }) => ({
    name: `crashes/${basename(name)}`,
    bytes: readFileSync(path),
  }));
}

/** The very secrets of a till, to look for them in a bundle. */
export function secretsOf(dataDir: string, apiKey: string | null): readonly string[] {
  const kept = z.record(z.string(), z.string()).safeParse(jsonOf(readTextFile(join(dataDir, 'secrets.json'))));
  const own = Object.entries(kept.success ? kept.data : {}).filter(([name]) => isSecretName(name));
  return [...(apiKey === null ? [] : [apiKey]), ...own.map(([, secret]) => secret)];
}

async function operationsPart({ operations }: BundleSource): Promise<BundlePart> {
  const lines: string[] = [];
  try {
    for await (const views of operations()) {
      // A name is of no use to whoever looks for a fault.
      lines.push(...views.map((view) => JSON.stringify({ ...view, customer_name: null })));
      if (lines.length >= operationLimit) break;
    }
  } catch (error) {
    lines.push(JSON.stringify({ unreadable: errorText(error) }));
  }
  const text = lines.slice(0, operationLimit).map((line) => `${line}\n`);
  return { name: 'operations.jsonl', text: redacted(text.join('')) };
}

function settingsFacts(held: Held): unknown {
  if (held.kind === 'refused') return { problems: held.problems };
  const { settings, hasApiKey, sources, warnings, needsRestart } = held;
  const from = Object.fromEntries(Object.entries(sources).filter(([, source]) => source !== 'default'));
  return { ...settings, api_key: hasApiKey ? 'set' : null, from, warnings, restart_needed: needsRestart };
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function part(name: string, value: unknown): BundlePart {
  return { name, text: redacted(`${JSON.stringify(value, null, 2)}\n`) };
}
