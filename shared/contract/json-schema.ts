// What a refinement says, in the words of JSON Schema: for the description of the interface that other tools read.

/** For `anyOf` or `oneOf`: a subschema for each field that may be the one. */
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
