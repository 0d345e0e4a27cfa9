import { existsSync, readFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { type BundlePart, findSecret, redacted, zip } from '../../doctor/bundle.ts';
import { logFiles } from '../../doctor/check-machine.ts';
import { readTextFile, writePrivateBytes } from '../../files.ts';
import { version } from '../../version.ts';
import { settingsSources } from '../agent-flags.ts';
import { exitCodes } from '../exit-codes.ts';
import { callAgent } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { findingsOf } from './doctor.ts';
import { print, table } from './print.ts';
import { partsOf } from './queue-filter.ts';
import { OutOfReachError, reachOffice, WrongUseError } from './reach-office.ts';

/** So many operations, the newest, are in a bundle. */
const operationLimit = 1_000;

export const bundleCommand: TillbridgeCommand = {
  summary: 'a zip file for whoever helps',
  about: `Puts into one zip file what helps to find a fault: the doctor's findings, status, settings, log and the newest
operations. Keys, tokens and customers' data are taken out, and nothing is saved if a secret is found in spite of that.
With --list it says what would be in it and saves nothing.

Exit code 1: a secret was found; nothing was saved.`,
  flags: [
    { name: 'list', value: null, help: 'only say what would be in it' },
    { name: 'config', value: 'FILE', help: 'the settings file that the agent is started with' },
  ],
  words: ['OUT'],
  async run({ values, switches, words, dataDir, json }) {
    const out = resolve(words[0] ?? '');
    if (existsSync(out)) throw new WrongUseError(`OUT: ${out} exists; name a new file`);
    const parts = await gather(dataDir, values);
    const found = findSecret(parts, await secretsOf(dataDir, values));
    const listed = parts.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) }));
    if (found !== null) {
      print(
        json,
        { saved: null, parts: listed, found },
        () => `${found.part} holds ${found.what}. Nothing was saved.\n`,
      );
      return exitCodes.problemFound;
    }
    const isSaved = !switches.has('list');
    if (isSaved) {
      try {
        writePrivateBytes(out, zip(parts, systemClock().now()));
      } catch (error) {
        throw new OutOfReachError(
          `${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    print(
      json,
      { saved: isSaved ? out : null, parts: listed, found: null },
      () =>
        `${table(listed.map(({ name, bytes }) => [name, `${bytes} bytes`]))}${isSaved ? `Saved as ${out}.\n` : 'Nothing was saved.\n'}`,
    );
    return exitCodes.well;
  },
};

async function gather(dataDir: string, values: ReadonlyMap<string, string>): Promise<readonly BundlePart[]> {
  const agent = await callAgent(dataDir);
  const about = {
    tillbridge: version,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? null,
    system: `${platform()} ${release()} ${arch()}`,
    made_at: new Date(systemClock().now()).toISOString(),
    running: agent !== null,
  };
  const parts: BundlePart[] = [
    part('about.json', about),
    part('doctor.json', await findingsOf(dataDir, values)),
    part('settings.json', await settingsOf(dataDir, values)),
  ];
  if (agent !== null) parts.push(part('status.json', (await agent.get('/agent/status')).body));
  parts.push(await operations(dataDir));
  for (const file of logFiles(dataDir)) {
    parts.push({ name: `logs/${basename(file)}`, text: redacted(readFileSync(file, 'utf8')) });
  }
  return parts;
}

async function operations(dataDir: string): Promise<BundlePart> {
  const lines: string[] = [];
  try {
    const office = await reachOffice(dataDir);
    try {
      for await (const views of partsOf(office, {})) {
        // A name is of no use to whoever looks for a fault.
        lines.push(...views.map((view) => JSON.stringify({ ...view, customer_name: null })));
        if (lines.length >= operationLimit) break;
      }
    } finally {
      office.close();
    }
  } catch (error) {
    lines.push(JSON.stringify({ unreadable: error instanceof Error ? error.message : String(error) }));
  }
  const text = lines.slice(0, operationLimit).map((line) => `${line}\n`);
  return { name: 'operations.jsonl', text: redacted(text.join('')) };
}

async function settingsOf(dataDir: string, values: ReadonlyMap<string, string>): Promise<unknown> {
  const loaded = loadSettings(await settingsSources(new Map([...values, ['data-dir', dataDir]]), process.env));
  if (loaded.kind === 'refused') return { problems: loaded.problems };
  const { api_key: apiKey, ...settings } = loaded.settings;
  return { ...settings, api_key: apiKey === null ? null : 'set', warnings: loaded.warnings };
}

/** The secrets themselves, to look for them. */
async function secretsOf(dataDir: string, values: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const loaded = loadSettings(await settingsSources(new Map([...values, ['data-dir', dataDir]]), process.env));
  const apiKey = loaded.kind === 'loaded' ? loaded.settings.api_key : null;
  const kept = z.record(z.string(), z.string()).safeParse(jsonOf(readTextFile(`${dataDir}/secrets.json`)));
  return [...(apiKey === null ? [] : [apiKey]), ...(kept.success ? Object.values(kept.data) : [])];
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
