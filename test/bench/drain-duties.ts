/**
 * What a program that sends sales and must lose none cannot leave out, each added to those before it: the answer is checked
 * against the contract; each sale is looked at for its seal and marked on the disk before its first byte goes; what
 * became of it is on the disk. See `contenders/drain-duties.ts`.
 */
export const drainDuties = ['check', 'mark', 'settle'] as const;
export type DrainDuty = (typeof drainDuties)[number];
