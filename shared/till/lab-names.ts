// Only names, without schemas, so that the page can load them alone.

/** A fault's icon (a name of `lucide`), and what has to be entered for it in addition to its type. */
interface FaultFacts {
  readonly icon: string;
  readonly takes: 'duration' | 'answer' | null;
}

/** The faults, one row each (design "Fault effects"). */
export const faultTable = {
  offline: { icon: 'cloud-off', takes: null },
  drop_request: { icon: 'cloud-upload', takes: null },
  drop_response: { icon: 'mail', takes: null },
  delay: { icon: 'hourglass', takes: 'duration' },
  error: { icon: 'triangle-alert', takes: 'answer' },
  partial_response: { icon: 'file-x', takes: null },
  malformed_response: { icon: 'circle-help', takes: null },
} as const satisfies Readonly<Record<string, FaultFacts>>;

export type FaultType = keyof typeof faultTable;
export const faultTypes = Object.keys(faultTable) as [FaultType, ...FaultType[]];

/** The balances that a test card can be given. */
export const labBalances = ['points', 'cashback_minor', 'stamps', 'visits', 'rewards_available'] as const;
export type LabBalance = (typeof labBalances)[number];
