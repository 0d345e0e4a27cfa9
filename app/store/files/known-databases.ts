import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readTextFile, writePrivateFile } from '../../machine/files.ts';
import { isNoAccess } from '../../machine/held-files.ts';
import type { OpenMarkerFacts } from './marker-format.ts';
import { readOpenMarker } from './open-marker.ts';

const name = z.string();
const names = z.array(name);

const knownSchema = z.object({
  /** Null: another database is being put in place. */
  device_id: name.nullable(),
  /** Of the databases that were in its place before. */
  former_device_ids: names,
  /** Of those, and of this one, on another machine, where they may be used to this day. */
  original_device_ids: names.default([]),
  /** As of its last opening or its last clean end. */
  generation: z.int(),
  is_open: z.boolean(),
});
/** What is known of a database outside of its own files. */
type Known = z.infer<typeof knownSchema>;

const nothingKnown: Known = {
  device_id: null,
  former_device_ids: [],
  original_device_ids: [],
  generation: 0,
  is_open: false,
};

/** Earlier versions kept names alone. */
const listSchema = z.union([
  z.record(name, knownSchema),
  names.transform((named) => Object.fromEntries(named.map((one) => [one, nothingKnown]))),
]);

/** Not under the database's own name: whoever deletes `sandbox.sqlite*` leaves it. */
function listPath(path: string): string {
  return join(dirname(path), 'databases.json');
}

/** Whether an agent ever had this database open. @param path of the database */
export function wasOpened(path: string): boolean {
  return readOpenMarker(path) !== null || knownOf(path) !== null;
}

/** Whether an agent has it open, or ended without closing it: then there is a marker beside it. @param path of the database */
export function isNotedOpen(path: string): boolean {
  return knownOf(path)?.is_open === true;
}

/** The least that the generation of a database in this place is (see open-marker.ts). @param path of the database */
export function knownGeneration(path: string): number {
  return Math.max(knownOf(path)?.generation ?? 0, readOpenMarker(path)?.generation ?? 0);
}

/**
 * Whether the marker beside a database was put there with another file: it is another till's, or from an earlier time. The
 * list of databases is written after the marker and never runs ahead of it, but after a power cut: that may bring back a
 * marker that says nothing of a log (see OpenMarker).
 *
 * @param path of the database
 */
export function isMarkerPutHere(path: string, { generation, deviceId, ending, log }: OpenMarkerFacts): boolean {
  const isEarlier = generation < (knownOf(path)?.generation ?? 0) && (ending.kind === 'clean' || log !== null);
  return isEarlier || ownerOf(path, deviceId) === 'another';
}

/** Which database belongs to this place; null when nobody knows. @param path of the database */
export function knownDeviceId(path: string): string | null {
  // Whoever copies another till's database may have copied its marker, too.
  return knownOf(path)?.device_id ?? readOpenMarker(path)?.deviceId ?? null;
}

/** Whether a database is known to be none that ever stood in a place. @param path of the place */
export function isStrange(path: string, deviceId: string | null): boolean {
  const earlier = [...formerDeviceIds(path), ...originalDeviceIds(path)];
  const own = [knownDeviceId(path), ...earlier].filter((one) => one !== null);
  return deviceId !== null && own.length > 0 && !own.includes(deviceId);
}

/** All that stood in this place on this machine, as far as it is known. @param path of the place */
export function formerDeviceIds(path: string): readonly string[] {
  return knownOf(path)?.former_device_ids ?? [];
}

/**
 * All that stood in this place when it was on another machine. What was made under them may be from before, and may be the
 * original's, which has gone on.
 *
 * @param path of the place
 */
export function originalDeviceIds(path: string): readonly string[] {
  return knownOf(path)?.original_device_ids ?? [];
}

/**
 * Whose a database is that was found in a place.
 *
 * @param path of the place
 * @param deviceId of the database; null when none was made up yet
 */
export function ownerOf(path: string, deviceId: string | null): 'own' | 'own_former' | 'another' {
  const expected = knownDeviceId(path);
  if (deviceId === null || expected === null || deviceId === expected) return 'own';
  // A start that was cut off has noted the new identity, and not given it to the database.
  if (originalDeviceIds(path).includes(deviceId)) return 'own';
  return knownOf(path)?.former_device_ids.includes(deviceId) === true ? 'own_former' : 'another';
}

/** Before a database that is new in its place is used. @param path of the database */
export function noteIdentity(path: string, deviceId: string): void {
  note(path, (known = nothingKnown) => (known.device_id === deviceId ? null : withIdentity(known, deviceId)));
}

/**
 * Before a database that was used on another machine gets an identity of its own.
 *
 * @param path of the database
 * @returns whether it is noted: else the database would be taken for another till's under it
 */
export function noteCopied(path: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  note(path, (known = nothingKnown) => {
    const { former_device_ids: before, original_device_ids: originals, ...copied } = withIdentity(known, to);
    return { ...copied, former_device_ids: [], original_device_ids: [...new Set([...originals, ...before, from])] };
  });
  try {
    return knownOf(path)?.device_id === to;
  } catch {
    return false;
  }
}

/** After its marker is on the disk. @param path of the database */
export function noteOpened(
  path: string,
  { deviceId, generation }: { readonly deviceId: string; readonly generation: number },
): void {
  note(path, (known = nothingKnown) => ({ ...withIdentity(known, deviceId), generation, is_open: true }));
}

/** After its marker says so. @param path of the database */
export function noteClosed(path: string, generation: number): void {
  note(path, (known) => (known?.is_open === true ? { ...known, generation, is_open: false } : null));
}

/** Before its marker is removed. @param path of the database */
export function forgetOpened(path: string): void {
  note(path, (known) => (known?.is_open === true ? { ...known, is_open: false } : null));
}

/** Before another database takes its place on purpose. @param path of the database */
export function forgetIdentity(path: string): void {
  note(path, (known) => (known === undefined ? null : { ...withIdentity(known, null), generation: 0, is_open: false }));
}

function withIdentity(known: Known, deviceId: string | null): Known {
  const former = new Set(known.former_device_ids);
  if (known.device_id !== null) former.add(known.device_id);
  if (deviceId !== null) former.delete(deviceId);
  return { ...known, device_id: deviceId, former_device_ids: [...former] };
}

function knownOf(path: string): Known | null {
  return knownIn(listPath(path))[basename(path)] ?? null;
}

/** @param change null: nothing is to be written */
function note(path: string, change: (known: Known | undefined) => Known | null): void {
  try {
    // One that cannot be read now is not written over: what it knows of other databases would be gone.
    const all = knownIn(listPath(path));
    const changed = change(all[basename(path)]);
    if (changed === null) return;
    writePrivateFile(listPath(path), `${JSON.stringify({ ...all, [basename(path)]: changed })}\n`);
  } catch {
    // Sales go on without it; the next start tries again.
  }
}

/** @throws HeldFileError, NodeJS.ErrnoException for a file that cannot be read now: then nobody knows what it holds */
function knownIn(file: string): Readonly<Record<string, Known>> {
  try {
    return listSchema.parse(JSON.parse(readTextFile(file) ?? '[]'));
  } catch (error) {
    if (isNoAccess(error)) throw error;
    return {};
  }
}
