import fc from 'fast-check';

/** A JSON Schema as zod writes it. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a field of this name may be, so that requests meet things that exist; by the field's last name. */
export type KnownFields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that fit a schema, most of the time. */
export function arbitraryOf(
  schema: Schema,
  known: KnownFields,
  definitions = schema.$defs ?? {},
): fc.Arbitrary<unknown> {
  const of = (inner: Schema) => arbitraryOf(inner, known, definitions);
  if (schema.$ref !== undefined) {
    const definition = definitions[schema.$ref.replace('#/$defs/', '')];
    if (definition === undefined) throw new Error(`No definition of ${schema.$ref}`);
    return of(definition);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type ?? 'any') {
    case 'object':
      return objectOf(schema, known, of);
    case 'string':
      return fc.string({ minLength: 1, maxLength: 20 });
    case 'integer':
      return fc.oneof(fc.integer({ min: 1, max: 50_000 }), fc.maxSafeInteger());
    case 'number':
      return fc.oneof(
        fc.integer({ min: 1, max: 200_000 }).map((thousandths) => thousandths / 1000),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case 'boolean':
      return fc.boolean();
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function objectOf(
  schema: Schema,
  known: KnownFields,
  of: (inner: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0)
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  const model = Object.fromEntries(fields.map(([name, inner]) => [name, known[name] ?? of(inner)]));
  const required = schema.required ?? [];
  const optional = fields.map(([name]) => name).filter((name) => !required.includes(name));
  const all = fc.record(model, { requiredKeys: [...required] });
  // Where the fields exclude one another (an identifier, one value), a single optional one fits.
  const one = fc
    .tuple(
      fc.record(model, { requiredKeys: Object.keys(model) }),
      fc.constantFrom(...(optional.length > 0 ? optional : [''])),
    )
    .map(([whole, chosen]) =>
      Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name) || name === chosen)),
    );
  return optional.length === 0 ? all : fc.oneof({ weight: 9, arbitrary: one }, { weight: 1, arbitrary: all });
}

/** What no caller should send in any field. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -0,
    -1,
    0.1,
    2 ** 53,
    1e308,
    5e-324,
    '',
    ' ',
    '\u0000',
    'a\u0007b',
    '\ud800',
    '\udc00x',
    '\u202eevil',
    "'; DROP TABLE cards; --",
    '<script>alert(1)</script>',
    '{{7*7}}',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'x'.repeat(256),
    'x'.repeat(70_000),
    '٣٤٥',
    'NaN',
    '9'.repeat(40),
    [],
    {},
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** A value with one of its parts replaced, dropped, added, or wrapped. */
export function mutated(value: unknown, change: Mutation): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return change.value;
  const entries = Object.entries(value);
  const index = change.at % (entries.length + 1);
  const entry = entries[index];
  if (change.kind === 'add' || entry === undefined) return withEntry(value, change.name, change.value);
  const [name, inner] = entry;
  if (change.kind === 'drop') return Object.fromEntries(entries.filter((_, place) => place !== index));
  if (change.kind === 'deeper' && typeof inner === 'object' && inner !== null) {
    return withEntry(value, name, mutated(inner, { ...change, kind: 'replace' }));
  }
  if (change.kind === 'wrap') return withEntry(value, name, [inner]);
  return withEntry(value, name, change.value);
}

/** Also a field called `__proto__`, as JSON can have one. */
function withEntry(value: object, name: string, inner: unknown): object {
  const copy: Record<string, unknown> = { ...value };
  Object.defineProperty(copy, name, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

export interface Mutation {
  readonly kind: 'replace' | 'drop' | 'add' | 'deeper' | 'wrap';
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom<Mutation['kind']>('replace', 'drop', 'add', 'deeper', 'wrap'),
  at: fc.nat(12),
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', ''), fc.string()),
  value: hostileValue,
});
