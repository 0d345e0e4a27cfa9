/** Random numbers, passed as a parameter: the system's in production, seeded ones in tests and with `--seed`. */
export interface RandomSource {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
}
