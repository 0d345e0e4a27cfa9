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

/** What of a database is damaged. */
export type Damage =
  /** Its own file: what can be read of it is carried into a new one. */
  | 'file'
  /** Its own file: an older copy of it, or another database, lies under its log. */
  | 'file_exchanged'
  /** Its log, whose later part can still be read in part. */
  | 'log'
  /** Its log, of which the end is gone, too. */
  | 'log_cut'
  /** What stood last in its log is gone; the database itself may be sound. */
  | 'log_missing'
  /** An older copy stands in its place. */
  | 'older'
  /** The database of another till stands in its place. */
  | 'another'
  /** It is not there any more. */
  | 'missing';

/** Damage that leaves a database which is sound as far as it goes. */
export type Loss = Extract<Damage, 'log_missing' | 'older' | 'another' | 'missing'>;

/** The database cannot be used. Nothing is ever kept in memory instead: no sale is taken. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** Of code `damaged`: what is. */
  readonly damage: Damage;

  /** Of code `damaged`: what stands in its schema that no version makes. */
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
