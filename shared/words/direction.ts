/** A name, an amount or a code may be in other letters than its sentence: set apart, it does not turn the words around it. */
export const apart = (text: string): string => `\u2068${text}\u2069`;

/** A phone begins with its `+`, and a path with its `/`, whatever the sentence around it. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`;
