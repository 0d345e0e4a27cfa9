/** What happened, and what to do about it. */
export interface Advice {
  readonly title: string;
  readonly next: string;
}
