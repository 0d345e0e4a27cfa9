import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperationView } from '../../../shared/till/views.ts';
import { type LoadedSettings, loadSettings } from '../../config/load-settings.ts';
import { findSecret, secretWords, zip } from '../../doctor/bundle.ts';
import { gatherBundle, secretsOf } from '../../doctor/gather.ts';
import { systemClock } from '../../machine/clock.ts';
import { writePrivateBytes } from '../../machine/files.ts';
import { settingsSources } from '../agent-flags.ts';
import { exitCodes } from '../exit-codes.ts';
import { callAgent } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { findingsOf } from './doctor.ts';
import { print, table } from './print.ts';
import { partsOf } from './queue-filter.ts';
import { OutOfReachError, reachOffice, WrongUseError } from './reach-office.ts';

export const bundleCommand: TillbridgeCommand = {
  summary: 'write a zip file for support',
  about: `Writes one zip file for support: the doctor's findings, status, settings, log and the newest operations. Keys, tokens
and customers' data are removed. If the command finds a secret in spite of that, it saves nothing. With --list it only
lists the contents.

Exit code 1: a secret was found; nothing was saved.`,
  flags: [
    { name: 'list', value: null, help: 'only list the contents' },
    { name: 'config', value: 'FILE', help: 'the settings file that the agent is started with' },
  ],
  words: ['OUT'],
  async run({ values, switches, words, dataDir, json }) {
    const out = resolve(words[0] ?? '');
    if (existsSync(out)) throw new WrongUseError(`OUT: ${out} exists; name a new file`);
    const loaded = await loadedOf(dataDir, values);
    const parts = await gather(dataDir, values, loaded);
    const found = findSecret(parts, secretsOf(dataDir, loaded));
    const listed = parts.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) }));
    if (found !== null) {
      print(
        json,
        { saved: null, parts: listed, found: { part: found.part, what: secretWords[found.what] } },
        () => `${found.part} contains ${secretWords[found.what]}. Nothing was saved.\n`,
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

async function gather(dataDir: string, values: ReadonlyMap<string, string>, loaded: LoadedSettings) {
  const agent = await callAgent(dataDir);
  return gatherBundle({
    dataDir,
    nowMs: systemClock().now(),
    loaded,
    findings: await findingsOf(dataDir, values),
    status: agent === null ? null : await agent.status(),
    operations: () => operations(dataDir),
  });
}

async function* operations(dataDir: string): AsyncGenerator<readonly OperationView[]> {
  const office = await reachOffice(dataDir);
  try {
    yield* partsOf(office, {});
  } finally {
    office.close();
  }
}

async function loadedOf(dataDir: string, values: ReadonlyMap<string, string>): Promise<LoadedSettings> {
  return loadSettings(await settingsSources(new Map([...values, ['data-dir', dataDir]]), process.env));
}
