import type { Mode } from '../../../shared/till/modes.ts';
import { enterLeftBehind } from '../../doctor/notice-words.ts';
import type { Recovery } from '../../store/carrying/carrying.ts';
import type { restoreBackup } from '../../store/copies/backup.ts';

/** What a restore was given, and what came of it. */
interface RestoreFacts {
  readonly file: string;
  readonly mode: Mode;
  /** In the backup. */
  readonly operationCount: number;
  readonly isAnotherTills: boolean;
  /** An agent had a database here, which was not there any more. */
  readonly wasGone: boolean;
  readonly restored: ReturnType<typeof restoreBackup>;
}

/** An earlier restore that had been cut short, and is finished now. */
interface FinishedFirst {
  readonly aside: string | null;
  readonly left_out_references: readonly string[];
  readonly left_behind_references: readonly string[];
}

/** The JSON of `restore`. */
interface RestoreResult {
  readonly file: string;
  readonly mode: Mode;
  readonly operations: number;
  readonly carried: number;
  readonly renewed: number;
  readonly unreadable: number | null;
  readonly aside: string | null;
  readonly was_gone: boolean;
  readonly stray_log: string | null;
  readonly is_another_tills: boolean;
  readonly refused_rows: number;
  readonly not_taken: readonly string[];
  readonly left_out_references: readonly string[];
  readonly left_behind_references: readonly string[];
  readonly finished_first: FinishedFirst | null;
}

export function restoreResult({
  file,
  mode,
  operationCount,
  isAnotherTills,
  wasGone,
  restored: { recovery, earlier, strayLog, refusedRows, foreign },
}: RestoreFacts): RestoreResult {
  const renewed = recovery?.renewed ?? 0;
  const leftOut = recovery?.gaveWay ?? [];
  return {
    file,
    mode,
    operations: operationCount - leftOut.length,
    carried: (recovery?.carried ?? 0) + renewed,
    renewed,
    unreadable: recovery === null ? 0 : recovery.unreadable,
    aside: recovery?.aside ?? null,
    was_gone: wasGone,
    stray_log: strayLog,
    is_another_tills: isAnotherTills,
    refused_rows: refusedRows,
    not_taken: foreign,
    left_out_references: leftOut,
    left_behind_references: recovery?.leftBehind ?? [],
    finished_first: earlier === null ? null : finishedFirst(earlier),
  };
}

function finishedFirst({ aside, gaveWay = [], leftBehind = [] }: Recovery): FinishedFirst {
  return { aside, left_out_references: gaveWay, left_behind_references: leftBehind };
}

/** Whether everything is in the database now, that of an earlier restore too. */
export function tookEverything({ unreadable, refused_rows, finished_first, ...own }: RestoreResult): boolean {
  const leftAlone = [own, finished_first].flatMap((one) =>
    one === null ? [] : [...one.left_out_references, ...one.left_behind_references],
  );
  return unreadable === 0 && refused_rows === 0 && leftAlone.length === 0;
}

/** Both tills may send what is in it, and each operation counts once all the same: its reference is taken once. */
const anotherTills =
  "This is the backup of another till: its operations are here now, too. Restore this till's own backup if that was not intended.";

/** The service takes each reference once: under its own it could not go out from here. */
const keepLeftOut =
  'It is in the backup alone. Compare it with the receipt: if the service does not have it, enter it again under another reference.';

/** What a log held that is gone, or a file in whose place an older one lies, has left no number. */
const newestMissing = "operations may be missing. Compare with the day's totals.";

/** The same for a person, a sentence or two in each line. */
export function restoreInWords(result: RestoreResult): string {
  const { operations } = result;
  const lines = [
    ...(result.finished_first === null ? [] : finishedFirstInWords(result.finished_first)),
    `Restored ${operations} ${operations === 1 ? 'operation' : 'operations'} of ${result.mode} mode.`,
    ...(result.is_another_tills ? [anotherTills] : []),
    ...notTakenInWords(result),
    carriedInWords(result),
    ...leftBehindInWords(result.left_behind_references),
    ...beforeInWords(result),
    ...(result.stray_log === null
      ? []
      : [`A log that is not of that database lay beside it and is now ${result.stray_log}. It was not used.`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Nobody was told what came of it. */
function finishedFirstInWords({ aside, left_out_references: leftOut, ...rest }: FinishedFirst): readonly string[] {
  const leftBehind = rest.left_behind_references;
  const before = aside === null ? '' : `: the one before it is ${aside}`;
  return [
    `The database had been replaced before, which was cut short. That was finished first${before}.`,
    ...(leftOut.length === 0
      ? []
      : [`Only in the backup that was restored then: ${leftOut.join(', ')}. Keep that file.`]),
    ...(leftBehind.length === 0 ? [] : [`Only in ${aside}: ${leftBehind.join(', ')}. ${enterLeftBehind}.`]),
  ];
}

/** What of the backup is not in the database. */
function notTakenInWords({ file, refused_rows, not_taken, left_out_references }: RestoreResult): readonly string[] {
  return [
    ...(refused_rows === 0 ? [] : [`${refused_rows} rows of the backup are not operations. They were left out.`]),
    ...(not_taken.length === 0
      ? []
      : [
          `Left out, because no version of Tillbridge writes it: ${not_taken.join(', ')}. Somebody has changed the file.`,
        ]),
    ...(left_out_references.length === 0
      ? []
      : [
          `Left out of the backup: ${left_out_references.join(', ')}. This till has another operation under such a reference, or it takes back one that was left out.`,
          `${keepLeftOut} Keep ${file}.`,
        ]),
  ];
}

function carriedInWords({ carried, renewed, unreadable }: RestoreResult): string {
  const lost = unreadable === null ? 'how many could not be read is unknown' : `${unreadable} could not be read`;
  return `${carried - renewed} that are newer were carried over from the database before, and ${renewed} that had moved on since; ${lost}.`;
}

function leftBehindInWords(references: readonly string[]): readonly string[] {
  if (references.length === 0) return [];
  return [
    `Not carried over: ${references.join(', ')}. The backup has another operation under such a reference, or it takes back one that was not carried over.`,
    `They are in the database before alone. ${enterLeftBehind}.`,
  ];
}

/** What became of the database that was in the place. */
function beforeInWords({ aside, was_gone, unreadable }: RestoreResult): readonly string[] {
  if (aside !== null) {
    const isWhole = unreadable !== null;
    return [
      `The database before is now ${aside}.`,
      ...(isWhole ? [] : [`That one was not whole, or not the newest one: ${newestMissing}`]),
    ];
  }
  return [was_gone ? `The database that was here is gone: ${newestMissing}` : 'There was no database before.'];
}
