// Names alone, with nothing that checks: the page takes them in without the rest.

/** What a fault is drawn with (a name of `lucide`), and what is to be said of it beside its type. */
interface FaultFacts {
  readonly icon: string;
  readonly takes: 'duration' | 'answer' | null;
}

/** What goes wrong, one row each (design "Fault effects"). */
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

/** What a test card can be given. */
export const labBalances = ['points', 'cashback_minor', 'stamps', 'visits', 'rewards_available'] as const;
export type LabBalance = (typeof labBalances)[number];
