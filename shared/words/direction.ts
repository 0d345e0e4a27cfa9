/**
 * Isolates a name, an amount or a code. It may be in another script, and must not change the direction of the words
 * around it.
 */
export const apart = (text: string): string => `\u2068${text}\u2069`;

/** Isolates a text from left to right. A phone begins with its `+` and a path with its `/` in every sentence. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`;
