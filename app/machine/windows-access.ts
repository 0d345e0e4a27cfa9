import { existsSync, realpathSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { type FolderAccess, RightsError, type Writers } from './folder-access.ts';
import { servicePlaces } from './service-places.ts';
import { type Environment, outputOf, windowsPowerShell, windowsProgram } from './system-programs.ts';
import {
  administratorsSid,
  isAlwaysTrusted,
  localServiceSid,
  nameOfSid,
  ownerIn,
  serviceSid,
  standingIn,
  systemSid,
} from './windows-rights.ts';

/** What Windows calls the service of the agent, and makes its SID from. */
export const serviceName = 'tillbridge';

/** Where the programs of Windows are, and how they are run. */
export interface WindowsPrograms {
  readonly environment: Environment;
  readonly run: typeof outputOf;
}

const thisWindows: WindowsPrograms = { environment: process.env, run: outputOf };

/** PowerShell is the one program of Windows that tells owner and list by numbers. It answers by a row's place, in ASCII. */
const askRights = [
  `$ErrorActionPreference = 'Stop'`,
  '$row = 0',
  `$input | ForEach-Object { $sddl = '?'; try { $sddl = (Get-Acl -LiteralPath ($env:TILLBRIDGE_LOOK_AT + '\\' + $_)).Sddl } catch { }; '{0} {1}' -f $row, $sddl; $row++ }`,
].join('; ');

/**
 * Asks for the rights of files and folders.
 *
 * @param names below the folder; `.` for itself
 * @returns SDDL for each; null for one that could not be read
 */
function readRights(
  folder: string,
  names: readonly string[],
  { environment, run }: WindowsPrograms,
): readonly (string | null)[] {
  const kept = Object.entries(environment).filter(
    // A PowerShell 7 in which the agent was started has named modules of its own, which this one cannot load.
    ([name]) => !/^(?:TILLBRIDGE_.*|NODE_.*|PSModulePath)$/i.test(name),
  );
  const powershell = windowsPowerShell(environment);
  const told = run(powershell, ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', askRights], {
    input: names.map((name) => `${name}\r\n`).join(''),
    environment: { ...Object.fromEntries(kept), TILLBRIDGE_LOOK_AT: folder },
  });
  const rows = new Map([...(told ?? '').matchAll(/^(\d+) ([^?\s].*?)\s*$/gm)].map(([, row, sddl = '']) => [row, sddl]));
  return names.map((_, row) => rows.get(String(row)) ?? null);
}

/** Of high integrity: an administrator who has confirmed it. */
const elevated = /\bS-1-16-12288\b/;

/** @returns the SID of the user of this process, and whether it has an administrator's rights; null when unknown */
function thisUser({
  environment,
  run,
}: WindowsPrograms): { readonly sid: string; readonly isElevated: boolean } | null {
  const told = run(windowsProgram('whoami.exe', environment), ['/user', '/groups', '/fo', 'csv', '/nh'], {
    environment,
  });
  const sid = /\bS-1-5-[\d-]+/.exec(told ?? '')?.[0];
  return sid === undefined ? null : { sid, isElevated: elevated.test(told ?? '') };
}

/** Who the till is, besides the administrators. */
interface TillUsers {
  /** By their SIDs. */
  readonly trusted: readonly string[];
  /** Who gets the data folder. */
  readonly user: string;
}

function tillUsers(dataDir: string, owner: string | null, programs: WindowsPrograms): TillUsers | null {
  const user = thisUser(programs);
  if (user === null) return null;
  // The service's folder belongs to the service by its name, which no other service of its account has.
  if (isSamePlace(dataDir, servicePlaces(programs.environment, 'win32').dataDir)) {
    const service = serviceSid(serviceName);
    return { trusted: [user.sid, service, localServiceSid], user: service };
  }
  // An administrator looks after another user's till.
  const isForOwner = user.isElevated && owner !== null && !isAlwaysTrusted(owner);
  return { trusted: isForOwner ? [user.sid, owner] : [user.sid], user: isForOwner ? owner : user.sid };
}

function isSamePlace(one: string, other: string): boolean {
  return win32.relative(one, other) === '';
}

/** Whether Windows itself closes a place to other users. */
function isInProfile(path: string, { environment }: WindowsPrograms): boolean {
  const profile = environment.USERPROFILE ?? '';
  if (profile === '') return false;
  const below = win32.relative(realPlace(profile), realPlace(path));
  return below !== '' && !below.startsWith('..') && !win32.isAbsolute(below);
}

/** A link in the profile may lead out of it. */
function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Windows' lists of who may do what. Folders in the user's own profile are closed by Windows, and not looked at. */
export function windowsAccess(programs: WindowsPrograms = thisWindows): FolderAccess {
  const { environment, run } = programs;
  const icacls = windowsProgram('icacls.exe', environment);
  const change = (path: string, args: readonly string[]): void => {
    if (run(icacls, [path, ...args, '/Q'], { environment }) === null) {
      throw new RightsError(`${icacls} could not change its rights`);
    }
  };
  const remembered = new Map<string, TillUsers>();
  return {
    isInherited: true,
    isClosedPlace: (dataDir) => isInProfile(dataDir, programs),
    whyNoPlace: (dataDir) => (isSamePlace(dataDir, win32.parse(dataDir).root) ? 'the folder is a whole disk' : null),
    look(dataDir, names) {
      const sddls = readRights(dataDir, ['.', ...names], programs);
      const users = tillUsers(dataDir, ownerIn(sddls[0] ?? ''), programs);
      if (users === null) throw new RightsError('Windows does not say which user this is');
      remembered.set(dataDir, users);
      return sddls.map((sddl, row) => {
        const path = row === 0 ? dataDir : join(dataDir, names[row - 1] ?? '');
        const standing = sddl === null ? null : standingIn(sddl, users.trusted);
        if (standing !== null) return { path, ...standing };
        // A running agent has removed it meanwhile.
        if (row > 0 && !existsSync(path)) return { path, isOwn: true, othersMay: 'nothing', others: [], listed: [] };
        throw new RightsError(`Windows does not say who may use ${path}`);
      });
    },
    close(dataDir, open) {
      const users = remembered.get(dataDir);
      const folder = open.find(({ path }) => path === dataDir);
      if (folder !== undefined && users !== undefined) {
        change(dataDir, closeArguments(users.user));
        // Whom the folder itself lets in does not go away with what it has from above.
        if (folder.listed.length > 0) change(dataDir, ['/remove:g', ...folder.listed.map((sid) => `*${sid}`)]);
      }
      for (const { path } of open) {
        if (path !== dataDir) change(path, ['/reset']);
      }
    },
    howToClose(path) {
      const user = remembered.get(path)?.user;
      return `& "${icacls}" "${path}" ${closeArguments(user ?? '$($env:USERNAME)')
        .map((part) => (part.startsWith('/') ? part : `"${part}"`))
        .join(' ')}`;
    },
  };
}

/** Whether administrators alone can change a file. */
export function windowsWriters(path: string, programs: WindowsPrograms = thisWindows): Writers {
  const others = (why: string): Writers => ({ kind: 'others', why });
  const [ofFolder = null, ofFile = null] = readRights(win32.dirname(path), ['.', win32.basename(path)], programs);
  const file = ofFile === null ? null : standingIn(ofFile, []);
  const folder = ofFolder === null ? null : standingIn(ofFolder, []);
  if (file?.isOwn === false) return others('its owner is no administrator');
  if (file?.othersMay === 'write') return others(`${file.others.map(nameOfSid).join(', ')} may write it`);
  if (folder?.isOwn === false) return others('the owner of its folder is no administrator');
  if (folder?.isReplaceable === true) return others(`${folder.others.map(nameOfSid).join(', ')} may replace it`);
  if (file === null || folder === null) return { kind: 'unknown', why: 'Windows does not say who may change it' };
  return { kind: 'administrators' };
}

/** Closes a folder, and with it everything that is made in it. @param user a SID, or a name */
function closeArguments(user: string): readonly string[] {
  const full = [...new Set([systemSid, administratorsSid, user])].map((one) => `${asIcacls(one)}:(OI)(CI)F`);
  return ['/inheritance:r', '/grant:r', ...full];
}

function asIcacls(user: string): string {
  return user.startsWith('S-1-') ? `*${user}` : user;
}
