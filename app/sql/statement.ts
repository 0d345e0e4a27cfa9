/** How a value crosses between a property and its column: as JSON text, or as 0 and 1. Null stays null. */
export type Codec = 'json' | 'boolean';

/** A compiled statement. It is plain data: the build writes it into the program as a constant. */
interface Compiled {
  readonly text: string;
  /** The names of the arguments, one for each `?` of the text. */
  readonly binds: readonly string[];
  /** Those of them that are bound in another form than they are given in. */
  readonly encoded: readonly { readonly place: number; readonly codec: Codec }[];
}

/** Gives rows. */
export interface ReadStatement<Args extends object, Row extends object> extends Compiled {
  readonly kind: 'read';
  /** The fields of a row that SQLite gives in another form than the row's type says. */
  readonly decoded: readonly { readonly name: string; readonly codec: Codec }[];
  /** Never there: it carries the types from where a statement is built to where it is prepared. */
  readonly types?: (args: Args) => Row;
}

/** Changes rows. */
export interface WriteStatement<Args extends object> extends Compiled {
  readonly kind: 'write';
  readonly types?: (args: Args) => void;
}

/** What one row of a read is. */
export type RowOf<Statement> = Statement extends ReadStatement<infer _, infer Row> ? Readonly<Row> : never;
