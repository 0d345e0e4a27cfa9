import { setTimeout } from 'node:timers/promises';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { BusyReason } from '../../updates/quiet-time.ts';
import type { UpdateState, UpdateView } from '../../updates/update-view.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print } from './print.ts';
import { type ReachedOffice, withOffice } from './reach-office.ts';
import { storeIt } from './store-it.ts';

const askEveryMs = 500;

const exitNote = `Exit codes:
  0  OK
  1  an update was refused or could not be installed, or the till went back to an older version
  2  the command or a flag is wrong
  3  the window of Tillbridge does not run on the data folder`;

export const updateStatus: TillbridgeCommand = {
  summary: 'show the version, and the state of updates',
  about: `Shows the installed version, whether an update is ready, held or refused, and which version the till can go back to.

${exitNote}`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  run: ({ dataDir, json }) =>
    withUpdates(dataDir, async (office) => show(json, viewOf(await office.call('update.status', {})))),
};

export const updateCheck: TillbridgeCommand = {
  summary: 'look for an update now',
  about: `Reads the update feed now, waits until an update is downloaded, and shows the state. Tillbridge installs the update at the next quiet
time.

${exitNote}`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  run: ({ dataDir, json }) =>
    withUpdates(dataDir, async (office) => {
      let { update } = await office.call('update.check', {});
      while (update?.state.kind === 'fetching') {
        await setTimeout(askEveryMs);
        ({ update } = await office.call('update.status', {}));
      }
      return show(json, viewOf({ update }));
    }),
};

export const updateInstall: TillbridgeCommand = {
  summary: 'install the update that is ready',
  about: `Installs the update that is ready. Tillbridge closes, and opens again in the new version. An operation that is being sent,
an open dialog, or a customer on the screen in the last 30 seconds stops the command: nothing is installed then.

Exit code 1: nothing is ready, or somebody is being served.
Exit code 3: the window of Tillbridge does not run on the data folder.`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  run: ({ dataDir, json }) =>
    withUpdates(dataDir, async (office) => {
      const answer = await office.call('update.install', { by: storeIt() });
      const update = viewOf(answer);
      print(json, answer, () => installed(answer.outcome, update));
      return answer.outcome === 'begins' ? exitCodes.well : exitCodes.problemFound;
    }),
};

async function withUpdates(dataDir: string, act: (office: ReachedOffice) => Promise<number>): Promise<number> {
  return withOffice(dataDir, null, async (office) => {
    if (!office.isRunning) {
      throw new OutOfReachError(`Tillbridge does not run on ${dataDir}. Open its window, or name another --data-dir.`);
    }
    return act(office);
  });
}

/** @throws OutOfReachError where the agent has no window */
function viewOf({ update }: { readonly update: UpdateView | null }): UpdateView {
  if (update === null) throw new OutOfReachError(noWindow);
  return update;
}

function show(json: boolean, update: UpdateView): number {
  print(json, update, () => inWords(update));
  const { kind } = update.state;
  const isWell = kind !== 'refused' && kind !== 'failed' && update.went_back === null;
  return isWell ? exitCodes.well : exitCodes.problemFound;
}

const noWindow =
  'This agent runs without a window. Update its package with the package manager of this machine (docs/updates.md).';

function installed(outcome: string, update: UpdateView): string {
  if (outcome === 'begins') return 'Tillbridge installs the update and starts again.\n';
  return `Not installed. ${stateInWords(update.state)}.\n`;
}

function inWords({ version, state, looked_at: lookedAt, way_back: wayBack, went_back: wentBack }: UpdateView): string {
  return [
    `Version     ${version}`,
    `Update      ${stateInWords(state)}`,
    `Last look   ${lookedAt ?? 'none since the start'}`,
    `Way back    ${wayBack === null ? `none: the package of ${version} is not kept` : `to ${wayBack}, whose package is kept`}`,
    ...(wentBack === null
      ? []
      : [
          `Went back   from ${wentBack.from} to ${wentBack.to} at ${wentBack.at}: ${wentBack.from} ${wentBack.why === 'died' ? 'ended before it was ready' : 'was not ready in 60 seconds'}`,
        ]),
    '',
  ].join('\n');
}

const waitWords: Readonly<Record<BusyReason | 'person', string>> = {
  person: 'the last installation failed; `update install` tries again',
  sending: 'an operation is being sent',
  dialog: 'a dialog is open on the screen',
  customer: 'a customer is being served',
};

function stateInWords(state: UpdateState): string {
  switch (state.kind) {
    case 'off':
      return `off: ${state.reason}`;
    case 'not_looked':
      return 'not looked for yet';
    case 'current':
      return 'this is the newest version';
    case 'later':
      return `${state.version} is for other tills first`;
    case 'held':
      return `${state.version} is on hold, by ${state.by === 'feed' ? 'the feed' : 'update.hold'}`;
    case 'fetching':
      return `downloading ${state.version}`;
    case 'ready':
      return `${state.version} is ready; ${state.waits_for === null ? 'Tillbridge installs it at the next quiet time' : `it waits: ${waitWords[state.waits_for]}`}`;
    case 'installing':
      return `installing ${state.version}`;
    case 'refused':
      return `refused: ${state.reason}`;
    case 'failed':
      return `failed: ${state.reason}`;
    default:
      return assertNever(state);
  }
}
