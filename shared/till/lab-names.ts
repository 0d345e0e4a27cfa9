// Names alone, with nothing that checks: the page takes them in without the rest.

export const faultTypes = [
  'offline',
  'drop_request',
  'drop_response',
  'delay',
  'error',
  'partial_response',
  'malformed_response',
] as const;
/** What goes wrong (design "Fault effects"). */
export type FaultType = (typeof faultTypes)[number];

/** What a test card can be given. */
export const labBalances = ['points', 'cashback_minor', 'stamps', 'visits', 'rewards_available'] as const;
export type LabBalance = (typeof labBalances)[number];
