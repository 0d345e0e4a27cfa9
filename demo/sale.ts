/** A sale as the POS program knows it. */
export interface Sale {
  readonly externalRef: string;
  readonly card: string;
  readonly amountMinor: number;
  /** What the till answered. */
  readonly transactionId: string;
}

/** A sale that the service does not hold exactly once. */
export interface WrongSale {
  readonly sale: Sale;
  readonly timesHeld: number;
}
