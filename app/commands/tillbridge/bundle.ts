import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorText } from '../../../shared/lib/error-code.ts';
import type { Mode } from '../../../shared/till/modes.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { findSecret, findSecretInDump, secretWords, zip } from '../../doctor/bundle.ts';
import { gatherBundle, gatherDumps, secretsOf } from '../../doctor/gather.ts';
import { systemClock } from '../../machine/clock.ts';
import { writePrivateBytes } from '../../machine/files.ts';
import { startFlags } from '../agent-flags.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given, TillbridgeCommand } from './command.ts';
import { lookAt, type Patient } from './doctor.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print, table } from './print.ts';
import { partsOf } from './queue-filter.ts';
import { reachOffice } from './reach-office.ts';
import { WrongUseError } from './wrong-use.ts';

export const bundleCommand: TillbridgeCommand = {
  summary: 'write a zip file for support',
  about: `Writes one zip file for support: the doctor's findings, status, settings, log and the newest operations. Keys, tokens
and customers' data are removed. If the command finds a secret in spite of that, it saves nothing. With --list it only
lists the contents.

With --dumps it adds what crashed processes of the window have left. A dump is memory: it may hold customers' data. A dump
that holds a key or a token is left out.

Exit code 1: a secret was found; nothing was saved.`,
  flags: [
    { name: 'list', value: null, help: 'only list the contents' },
    { name: 'dumps', value: null, help: "add crash dumps, which may hold customers' data" },
    ...startFlags,
  ],
  words: ['OUT'],
  async run({ values, switches, words, dataDir, mode, json }) {
    const out = resolve(words[0] ?? '');
    if (existsSync(out)) throw new WrongUseError(`OUT: ${out} exists; name a new file`);
    if (!existsSync(dirname(out))) {
      throw new OutOfReachError(`${dirname(out)} does not exist. Mount its share, or create the folder.`);
    }
    const patient = await lookAt(dataDir, values);
    const parts = await gather({ dataDir, mode }, patient);
    const secrets = secretsOf(dataDir, patient.apiKey);
    const found = findSecret(parts, secrets);
    const all = switches.has('dumps') ? gatherDumps(dataDir) : [];
    const dumps = all.filter((dump) => findSecretInDump(dump, secrets) === null);
    const leftOut = all.filter((dump) => !dumps.includes(dump)).map(({ name }) => name);
    const listed = [
      ...parts.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) })),
      ...dumps.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
    ];
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
        writePrivateBytes(out, zip(parts, systemClock().now(), dumps));
      } catch (error) {
        throw new OutOfReachError(`${out} cannot be written: ${errorText(error)}`);
      }
    }
    print(
      json,
      { saved: isSaved ? out : null, parts: listed, left_out: leftOut, found: null },
      () =>
        `${table(listed.map(({ name, bytes }) => [name, `${bytes} bytes`]))}${leftOut.map((name) => `${name} holds a key or a token and is left out.\n`).join('')}${isSaved ? `Saved as ${out}.\n` : 'Nothing was saved.\n'}`,
    );
    return exitCodes.well;
  },
};

function gather({ dataDir, mode }: Pick<Given, 'dataDir' | 'mode'>, { held, findings, status }: Patient) {
  const nowMs = systemClock().now();
  return gatherBundle({ dataDir, nowMs, held, findings, status, operations: () => operationsOf(dataDir, mode) });
}

async function* operationsOf(dataDir: string, mode: Mode | null): AsyncGenerator<readonly OperationView[]> {
  const office = await reachOffice(dataDir, mode);
  try {
    for await (const { operations } of partsOf(office, {})) yield operations;
  } finally {
    office.close();
  }
}
