/** Money has its currency in Latin letters: set apart, it does not turn the sentence around it. */
export const apart = (money: string): string => `\u2068${money}\u2069`;

/** A phone begins with its `+`, whatever the sentence around it. */
export const leftToRight = (phone: string): string => `\u2066${phone}\u2069`;
