/** Money and codes have Latin letters: set apart, they do not turn the sentence around them. */
export const apart = (text: string): string => `\u2068${text}\u2069`;

/** A phone begins with its `+`, and a path with its `/`, whatever the sentence around it. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`;
