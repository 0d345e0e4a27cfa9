import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../../shared/lib/error-code.ts';
import { nearestTo } from '../../shared/lib/nearest.ts';
import { becomeOwnerOf } from '../machine/become-owner.ts';
import { notAFolder } from '../machine/closed-folder.ts';
import { diskTroubleInWords, isDiskFull } from '../machine/disk-room.ts';
import { NoFileOfItsOwnError } from '../machine/files.ts';
import { isNoAccess } from '../machine/held-files.ts';
import { typed } from '../machine/installed.ts';
import { DataFolderError } from '../machine/lock.ts';
import { SecretsError } from '../machine/secrets.ts';
import { servicePlaces } from '../machine/service-places.ts';
import { version } from '../machine/version.ts';
import { dataDirOf } from './agent-flags.ts';
import { complain } from './complain.ts';
import { exitCodes } from './exit-codes.ts';
import { type FlagSpec, helpText, parseFlags } from './flags.ts';
import { auditCommand } from './tillbridge/audit.ts';
import { backupCommand, restoreCommand } from './tillbridge/backup.ts';
import { bundleCommand } from './tillbridge/bundle.ts';
import type { TillbridgeCommand } from './tillbridge/command.ts';
import { customerErase, customerShow } from './tillbridge/customer.ts';
import { dayClose, dayList, dayShow } from './tillbridge/day.ts';
import { doctorCommand } from './tillbridge/doctor.ts';
import { lineTry } from './tillbridge/line.ts';
import { modeFlag, modeNamed } from './tillbridge/mode-flag.ts';
import { FullElsewhereError, OutOfReachError } from './tillbridge/out-of-reach.ts';
import { peopleAddCashier, peopleAddManager, peopleList, peopleRemove, peopleSetPin } from './tillbridge/people.ts';
import { table } from './tillbridge/print.ts';
import { profilesErase } from './tillbridge/profiles.ts';
import { queueList, queueShow } from './tillbridge/queue.ts';
import { queueKeep, queueResend, queueTakeBack, queueWriteOff } from './tillbridge/queue-decisions.ts';
import { queueExport } from './tillbridge/queue-export.ts';
import { serviceInstall, serviceRemove, serviceStatus } from './tillbridge/service.ts';
import { sessionsEnd, sessionsList, sessionsOpen } from './tillbridge/sessions.ts';
import { settingsHelp, settingsList, settingsSet, settingsUnset } from './tillbridge/settings.ts';
import { statusCommand } from './tillbridge/status.ts';
import { stopCommand } from './tillbridge/stop.ts';
import { tokensCreate, tokensList, tokensRevoke, tokensShare, tokensShow } from './tillbridge/tokens.ts';
import { updateCheck, updateInstall, updateStatus } from './tillbridge/update.ts';
import { verifyCommand } from './tillbridge/verify.ts';
import { WrongUseError } from './tillbridge/wrong-use.ts';

/** Every command, by what is typed. */
const commands: Readonly<Record<string, TillbridgeCommand>> = {
  status: statusCommand,
  stop: stopCommand,
  'queue list': queueList,
  'queue show': queueShow,
  'queue resend': queueResend,
  'queue write-off': queueWriteOff,
  'queue keep': queueKeep,
  'queue take-back': queueTakeBack,
  'queue export': queueExport,
  'line try': lineTry,
  verify: verifyCommand,
  'day show': dayShow,
  'day close': dayClose,
  'day list': dayList,
  'tokens list': tokensList,
  'tokens show': tokensShow,
  'tokens create': tokensCreate,
  'tokens share': tokensShare,
  'tokens revoke': tokensRevoke,
  'sessions list': sessionsList,
  'sessions open': sessionsOpen,
  'sessions end': sessionsEnd,
  'people list': peopleList,
  'people add-manager': peopleAddManager,
  'people add-cashier': peopleAddCashier,
  'people set-pin': peopleSetPin,
  'people remove': peopleRemove,
  'profiles erase': profilesErase,
  'customer show': customerShow,
  'customer erase': customerErase,
  'settings list': settingsList,
  'settings set': settingsSet,
  'settings unset': settingsUnset,
  'service install': serviceInstall,
  'service remove': serviceRemove,
  'service status': serviceStatus,
  'update status': updateStatus,
  'update check': updateCheck,
  'update install': updateInstall,
  audit: auditCommand,
  doctor: doctorCommand,
  bundle: bundleCommand,
  backup: backupCommand,
  restore: restoreCommand,
};

/** What the help of a group tells beside its commands. */
const groupNotes: Readonly<Record<string, () => string>> = { settings: settingsHelp };

const commonFlags: readonly FlagSpec[] = [
  { name: 'data-dir', value: 'FOLDER', help: 'the data folder of the agent; default: the folder of this platform' },
  { name: 'json', value: null, help: 'print the answer as JSON' },
  { name: 'help', value: null, help: 'show this text' },
];

/**
 * `npm run tillbridge`: for store IT, against a running or a stopped agent.
 *
 * @returns 0 well, 1 a problem found, 2 wrong use, 3 the agent or its data cannot be reached
 */
export async function tillbridgeCommand(argv: readonly string[]): Promise<number> {
  if (argv[0] === '--version') {
    process.stdout.write(`${version}\n`);
    return exitCodes.well;
  }
  const found = findCommand(argv);
  if (found === null) {
    if (!argv.includes('--help')) return complain([notACommand(argv)], exitCodes.wrongUse);
    process.stdout.write(overview(argv[0] ?? ''));
    return exitCodes.well;
  }
  const { name, command, rest } = found;
  const { worksOnWholeTill = false } = command;
  const hasOwnMode = command.flags.some((flag) => flag.name === modeFlag.name);
  const flags = [...command.flags, ...(worksOnWholeTill || hasOwnMode ? [] : [modeFlag]), ...commonFlags];
  const parsed = parseFlags(rest, worksOnWholeTill ? [...flags, modeFlag] : flags, command.words);
  if (parsed.kind === 'help') {
    const usage = typed([name, ...command.words, '[flags]'].join(' '));
    process.stdout.write(helpText(usage, command.about, flags));
    return exitCodes.well;
  }
  if (parsed.kind === 'wrong') return complain(parsed.problems, exitCodes.wrongUse);
  const { values, switches, words } = parsed;
  if (worksOnWholeTill && values.has(modeFlag.name)) {
    return complain(
      [`--mode: ${name} works on the whole till, whatever its mode. Leave the flag out.`],
      exitCodes.wrongUse,
    );
  }
  const dataDir = dataDirOf(values, process.env);
  try {
    if (command.staysAdministrator !== true) {
      refuseClosedFolder(dataDir);
      if (becomeOwnerOf(dataDir)) refuseClosedFile(command, words);
    }
    return await command.run({
      values,
      switches,
      words,
      dataDir,
      mode: modeNamed(values),
      json: switches.has('json'),
    });
  } catch (error) {
    const isOwnDisk = !(error instanceof FullElsewhereError) && isDiskFull(error);
    const trouble = isOwnDisk || !isToldAlready(error) ? diskTroubleInWords(error, dataDir) : null;
    if (trouble !== null) return complain([trouble], exitCodes.outOfReach);
    if (isOutOfReach(error)) return complain([error.message], exitCodes.outOfReach);
    if (error instanceof WrongUseError) return complain([error.message], exitCodes.wrongUse);
    throw error;
  }
}

/** In a folder that is closed to this user, a running agent looks like none. @throws OutOfReachError */
function refuseClosedFolder(dataDir: string): void {
  if (isSomethingElse(dataDir)) {
    throw new OutOfReachError(`${dataDir} cannot be used: ${notAFolder.why}. ${notAFolder.advice}`);
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK);
  } catch (cause) {
    // No folder can have it, so that none seems to be there.
    if (errorCode(cause) === 'ENAMETOOLONG') throw cause;
    // Of one that is not there the command itself tells.
    if (!isNoAccess(cause)) return;
    const isService = dataDir === servicePlaces().dataDir;
    const whose = isService ? ", the service's folder" : '';
    const how = process.platform === 'win32' ? 'Open the terminal as administrator' : 'Use sudo';
    const who = isService ? how : 'Work as the user whose agent it is, or as the administrator';
    throw new OutOfReachError(`This user may not look into ${dataDir}${whose}. ${who}.`, { cause });
  }
}

/** Whether a file was named as the folder: nobody may look into one, whoever they are. */
function isSomethingElse(dataDir: string): boolean {
  try {
    return statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    // It is behind a folder that is closed.
    return false;
  }
}

/** The administrator has named a file where the owner of the data folder may not go. @throws OutOfReachError */
function refuseClosedFile(command: TillbridgeCommand, words: readonly string[]): void {
  for (const [place, name] of command.words.entries()) {
    const word = words[place];
    if (word === undefined || (name !== 'OUT' && name !== 'FILE')) continue;
    const folder = dirname(resolve(word));
    try {
      accessSync(folder, name === 'OUT' ? constants.W_OK | constants.X_OK : constants.X_OK);
    } catch (cause) {
      // Of one that is not there the command itself tells.
      if (!isNoAccess(cause)) continue;
      const { username } = userInfo();
      throw new OutOfReachError(
        `${name}: ${folder} is closed to the user ${username}, as whom this command works. Name a file in a folder of that user, such as /var/tmp.`,
        { cause },
      );
    }
  }
}

function isToldAlready(error: unknown): boolean {
  return isOutOfReach(error) || error instanceof WrongUseError;
}

/** Whether its message says which file or agent cannot be reached, and what to do. */
function isOutOfReach(error: unknown): error is Error {
  return [OutOfReachError, SecretsError, DataFolderError, NoFileOfItsOwnError].some((kind) => error instanceof kind);
}

/** Names that a command had before. They work for ever: store IT has them in scripts. */
const earlierNames: Readonly<Record<string, string>> = { 'tokens make': 'tokens create' };

function findCommand(argv: readonly string[]) {
  for (const length of [2, 1]) {
    const typed = argv.slice(0, length).join(' ');
    const name = (Object.hasOwn(earlierNames, typed) ? earlierNames[typed] : undefined) ?? typed;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) return { name, command, rest: argv.slice(length) };
  }
  return null;
}

/** What is said of words that name no command. */
export function notACommand(argv: readonly string[]): string {
  const firstFlag = argv.findIndex((part) => part.startsWith('-'));
  const words = argv.slice(0, firstFlag === -1 ? undefined : firstFlag);
  const names = Object.keys(commands);
  const groups = [...new Set(names.map((name) => name.split(' ')[0] ?? name))];
  const all = `There are ${groups.join(', ')}. Run ${typed('--help')} to read more.`;
  const [group = ''] = words;
  if (group === '') return `Name a command. ${all}`;
  const ofGroup = names.filter((name) => name.startsWith(`${group} `));
  const isGroupAlone = words.length === 1 && ofGroup.length > 0;
  if (isGroupAlone)
    return `${group}: what should it do? There ${ofGroup.length === 1 ? 'is' : 'are'} ${ofGroup.join(', ')}.`;
  // What stands behind a name is no part of it.
  const near = nearestTo(words.slice(0, 2).join(' '), names) ?? nearestTo(group, names);
  const given = `${words.join(' ')}: is not a command.`;
  if (near !== null) return `${given} Did you mean ${typed(near)}?`;
  return `${given} ${ofGroup.length > 0 ? `There are ${ofGroup.join(', ')}.` : all}`;
}

/** All commands, or those of one group: `queue --help` tells of the queue. */
function overview(group: string): string {
  const all = Object.entries(commands);
  const ofGroup = all.filter(([name]) => name.startsWith(`${group} `));
  const lines = (ofGroup.length > 0 ? ofGroup : all).map(([name, { words, summary }]) => [
    `  ${[name, ...words].join(' ')}`,
    summary,
  ]);
  const note = Object.hasOwn(groupNotes, group) ? `\n${groupNotes[group]?.() ?? ''}` : '';
  return `Usage: ${typed('COMMAND [flags]')}

For store IT: checks and manages the agent of this machine. Most commands work whether the agent runs or is stopped.

${table(lines)}${note}
Add --help to a command to read more. Every command takes --data-dir FOLDER and --json. --version
alone prints the version.
Exit codes: 0 OK, 1 a problem was found, 2 wrong use or settings, 3 the agent or its data is out of reach.
`;
}
