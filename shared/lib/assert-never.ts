/** Makes a `switch` over a union exhaustive: the compiler reports a forgotten case. */
export function assertNever(value: never): never {
  throw new Error(`A case was not handled: ${JSON.stringify(value)}`);
}
