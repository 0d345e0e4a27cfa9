/** Makes a `switch` over a union exhaustive: the compiler refuses a case that was forgotten. */
export function assertNever(value: never): never {
  throw new Error(`A case was not handled: ${JSON.stringify(value)}`);
}
