export type StoreErrorCode =
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

/** The database cannot be used. Nothing is ever kept in memory instead: no sale is taken. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}
