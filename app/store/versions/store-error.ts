type StoreErrorCode =
  /** The content is damaged. */
  | 'damaged'
  /** The file is a database of another program. */
  | 'foreign'
  /** Written by a newer version that does not allow this one to open it. */
  | 'too_new'
  /** The folder or the file cannot be written or read. */
  | 'unreachable'
  /** SQLite did not keep the durability that it was told to keep. */
  | 'not_durable';

/** Which part of a database is damaged, and how. */
export type Damage =
  /** The database file: what can be read of it is carried into a new file. */
  | 'file'
  /** The database file is an older copy, or another database, under a log that does not belong to it. */
  | 'file_exchanged'
  /** The log: part of what follows the damage can still be read. */
  | 'log'
  /** The log, and its end is gone as well. */
  | 'log_cut'
  /** The last entries of the log are gone; the database file itself may be sound. */
  | 'log_missing'
  /** An older copy is in the database's place. */
  | 'older'
  /** The database of another till is in its place. */
  | 'another'
  /** The database is gone. */
  | 'missing';

/** Damage that leaves a database which is sound as far as it goes. */
export type Loss = Extract<Damage, 'log_missing' | 'older' | 'another' | 'missing'>;

/** The database cannot be used. Nothing is ever kept in memory instead: no sale is taken. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** For the code `damaged`: what is damaged. */
  readonly damage: Damage;

  /** For the code `damaged`: objects in the schema that no version of the agent makes. */
  readonly foreign: readonly string[];

  constructor(
    code: StoreErrorCode,
    message: string,
    options: ErrorOptions & { readonly damage?: Damage; readonly foreign?: readonly string[] } = {},
  ) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
    this.damage = options.damage ?? 'file';
    this.foreign = options.foreign ?? [];
  }
}
