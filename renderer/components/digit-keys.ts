/** Of a pad for a PIN, a code or a phone number, row by row. */
export const digitKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'erase'] as const;
export type DigitKey = (typeof digitKeys)[number];
