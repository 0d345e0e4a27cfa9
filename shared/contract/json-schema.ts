// Says the rules of refinements in JSON Schema, for the interface description that other tools read.

/** For `anyOf` or `oneOf`: one subschema for each field that may be the required one. */
export function needsOne(fields: readonly string[]): { required: string[] }[] {
  return fields.map((field) => ({ required: [field] }));
}

type Pair = { required: string[]; properties: Record<string, object> };

/** For `not`: no two of the fields together. */
export function neverTwo(fields: readonly string[]): { anyOf: Pair[] } {
  const anyOf = fields.flatMap((one, index) =>
    fields.slice(index + 1).map((other) => ({ required: [one, other], properties: { [one]: {}, [other]: {} } })),
  );
  return { anyOf };
}
