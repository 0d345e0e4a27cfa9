import { createHash } from 'node:crypto';

/**
 * What Windows' access lists say, read from SDDL: the one form that names everybody by numbers (SIDs) and so is the same in
 * each language of Windows.
 */

export const systemSid = 'S-1-5-18';
export const administratorsSid = 'S-1-5-32-544';
export const localServiceSid = 'S-1-5-19';

/** SDDL's short names of those who matter here. What is not in it is somebody whom nobody here knows. */
const shortNames: Readonly<Record<string, string>> = {
  SY: systemSid,
  BA: administratorsSid,
  LS: localServiceSid,
  NS: 'S-1-5-20',
  WD: 'S-1-1-0',
  AN: 'S-1-5-7',
  AU: 'S-1-5-11',
  IU: 'S-1-5-4',
  NU: 'S-1-5-2',
  SU: 'S-1-5-6',
  BU: 'S-1-5-32-545',
  BG: 'S-1-5-32-546',
  PU: 'S-1-5-32-547',
  CO: 'S-1-3-0',
  CG: 'S-1-3-1',
  OW: 'S-1-3-4',
};

const groupNames: Readonly<Record<string, string>> = {
  'S-1-1-0': 'Everyone',
  'S-1-5-2': 'everybody who comes over the network',
  'S-1-5-4': 'everybody who is signed in',
  'S-1-5-7': 'everybody without a name',
  'S-1-5-11': 'Authenticated Users',
  'S-1-5-32-545': 'Users',
  'S-1-5-32-546': 'Guests',
  'S-1-5-32-547': 'Power Users',
};

const administrator = 'the administrator of this machine';
const domainAdministrators = 'administrators of the domain';
/** They can change every file anyway, and so are no other users here. TrustedInstaller is Windows itself. */
const alwaysTrusted: ReadonlySet<string> = new Set([
  systemSid,
  administratorsSid,
  administrator,
  domainAdministrators,
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
]);

/** Whoever makes a file, or owns it: nobody by itself. */
const placeholders = /^S-1-3-\d+$/;

/** Who is meant, so that the short name and the number of one user are the same text. */
function whoIs(sid: string): string {
  const full = shortNames[sid] ?? sid;
  if (full === 'LA' || /^S-1-5-21-.*-500$/.test(full)) return administrator;
  return full === 'DA' || full === 'EA' || /^S-1-5-21-.*-51[29]$/.test(full) ? domainAdministrators : full;
}

/** As a person reads it. */
export function nameOfSid(sid: string): string {
  return groupNames[sid] ?? sid;
}

/** The SID that Windows gives a service by its name alone. */
export function serviceSid(service: string): string {
  const hash = createHash('sha1').update(service.toUpperCase(), 'utf16le').digest();
  return `S-1-5-80-${[0, 4, 8, 12, 16].map((at) => hash.readUInt32LE(at)).join('-')}`;
}

const readData = 0x1;
const deleteChild = 0x40;
const deleteItself = 0x1_0000;
const changeRights = 0x4_0000;
const becomeOwner = 0x8_0000;
/** To write, add to, or delete what is there, or to change who may. */
const writes = 0x2 | 0x4 | 0x10 | 0x100 | deleteChild | deleteItself | changeRights | becomeOwner;
/** To put another file or folder into the place of one that is there. */
const replaces = deleteChild | deleteItself | changeRights | becomeOwner;

const allRights = 0x1f_01ff;
/** SDDL writes rights as pairs of letters, or as a number. Some pairs have other names for folders of a directory service. */
const rightsOf: Readonly<Record<string, number>> = {
  GA: allRights,
  FA: allRights,
  KA: allRights,
  GR: 0x12_0089,
  FR: 0x12_0089,
  GW: 0x12_0116,
  FW: 0x12_0116,
  GX: 0x12_00a0,
  FX: 0x12_00a0,
  RC: 0x2_0000,
  SD: deleteItself,
  WD: changeRights,
  WO: becomeOwner,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: deleteChild,
  LO: 0x80,
  CR: 0x100,
};

/** A number can hold the generic rights, too: each means some of the others. */
const genericRights: readonly (readonly [number, number])[] = [
  [0x1000_0000, allRights],
  [0x2000_0000, 0x12_00a0],
  [0x4000_0000, 0x12_0116],
  [0x8000_0000, 0x12_0089],
];

/** @returns null for rights that are not understood */
function maskOf(rights: string): number | null {
  if (/^0x[0-9a-f]+$/i.test(rights) || /^\d+$/.test(rights)) {
    const mask = Number(rights);
    // By division: an operator of bits would take the highest one for a sign.
    return genericRights.reduce(
      (all, [generic, means]) => (Math.floor(mask / generic) % 2 === 1 ? all | means : all),
      mask % 0x1000_0000,
    );
  }
  const pairs = rights.match(/../g) ?? [];
  if (pairs.join('') !== rights) return null;
  return pairs.reduce<number | null>((all, pair) => {
    const right = rightsOf[pair];
    return all === null || right === undefined ? null : all | right;
  }, 0);
}

/** Somebody who is let do something. */
interface Grant {
  readonly who: string;
  readonly mask: number;
  /** From the folder above. */
  readonly isInherited: boolean;
}

interface AccessList {
  readonly owner: string | null;
  readonly grants: readonly Grant[];
}

const letIn: ReadonlySet<string> = new Set(['A', 'OA', 'XA', 'ZA']);

/** @returns null for what is not understood: nobody may say then that a file is closed */
function accessListIn(sddl: string): AccessList | null {
  const parts = /^(?:O:(?<owner>S-[\d-]+|[A-Z]{2}))?(?:G:(?:S-[\d-]+|[A-Z]{2}))?(?:D:(?<list>.*))?$/s.exec(sddl.trim());
  if (parts?.groups === undefined) return null;
  const owner = parts.groups.owner === undefined ? null : whoIs(parts.groups.owner);
  // The list of what is audited stands behind, and lets nobody in.
  const list = parts.groups.list?.split(')S:')[0];
  // Where there is no list, everybody may do everything.
  if (list === undefined || list.startsWith('NO_ACCESS_CONTROL')) {
    return { owner, grants: [{ who: whoIs('WD'), mask: allRights, isInherited: false }] };
  }
  const grants: Grant[] = [];
  for (const entry of list.split('(').slice(1)) {
    const [type = '', flags = '', rights = '', , , sid = ''] = entry.replace(/\)$/, '').split(';');
    // What refuses somebody something is not reckoned with: who is let in by another entry counts as let in.
    if (!letIn.has(type)) continue;
    const mask = maskOf(rights);
    if (mask === null || sid === '') return null;
    grants.push({ who: whoIs(sid), mask, isInherited: flags.includes('ID') });
  }
  return { owner, grants };
}

/** The owner's SID. @returns null for what is not understood */
export function ownerIn(sddl: string): string | null {
  return accessListIn(sddl)?.owner ?? null;
}

/** Whether it is Windows itself or an administrator, by its SID. */
export function isAlwaysTrusted(sid: string): boolean {
  return alwaysTrusted.has(whoIs(sid));
}

/** How a file or folder stands to other users than those whom the till trusts. */
interface WindowsStanding {
  readonly isOwn: boolean;
  readonly othersMay: 'nothing' | 'read' | 'write';
  /** Whether others may put another one into its place. */
  readonly isReplaceable: boolean;
  /** The SIDs of those others, each once. */
  readonly others: readonly string[];
  /** Those of them who stand in its own list, which does not go away with the inheritance. */
  readonly listed: readonly string[];
}

/**
 * @param sddl of a file or a folder, with its owner
 * @param till the SIDs of the users that the till runs as; administrators and the system are trusted anyway
 * @returns null for what is not understood
 */
export function standingIn(sddl: string, till: readonly string[]): WindowsStanding | null {
  const list = accessListIn(sddl);
  if (list === null || list.owner === null) return null;
  const trusted = new Set([...alwaysTrusted, ...till.map(whoIs)]);
  const foreign = list.grants.filter(({ who, mask }) => !trusted.has(who) && !placeholders.test(who) && mask !== 0);
  const may = (mask: number): boolean => foreign.some((grant) => (grant.mask & mask) !== 0);
  return {
    isOwn: trusted.has(list.owner),
    othersMay: may(writes) ? 'write' : may(readData) ? 'read' : 'nothing',
    isReplaceable: may(replaces),
    others: [...new Set(foreign.map(({ who }) => who))],
    listed: [...new Set(foreign.filter(({ isInherited }) => !isInherited).map(({ who }) => who))],
  };
}
