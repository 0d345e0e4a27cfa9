import type { FrozenRow } from './frozen-rows.ts';

/** What has to become of a row of the story (settled-story.ts, open-story.ts) once it was upgraded and delivered. */
interface End {
  readonly state: string;
  /** Whether its request goes to the service: a row of which nobody knows may only do so when its books were read. */
  readonly sends: 'never' | 'once' | 'once_after_a_look';
  /** Everything of it that the service's books hold in the end. */
  readonly held: readonly string[];
}

const openStates: ReadonlySet<string> = new Set(['queued', 'sending', 'unknown']);
/** What the service's books call it. */
const intentInBooks: Readonly<Record<string, string>> = { earn: 'earn', redeem: 'redeem', commit: 'redeem' };

/** Those that are still open, or whose books say more than their state. */
const special: Readonly<Record<string, Partial<End>>> = {
  // The service recorded it and failed it; another one stands in its place.
  'earn E-replaced': { held: ['earn E-replaced failed'] },
  'redeem R-give-lost': { state: 'applied', sends: 'once_after_a_look' },
  'redeem R-give-arrived': { state: 'applied' },
  'redeem R-pay-lost': { state: 'cancelled' },
  'redeem R-pay-arrived': {
    state: 'reversed',
    held: ['redeem R-pay-arrived reversed', 'reverse reverse-redeem-R-pay-arrived success'],
  },
  'redeem R-unknown-arrived': { state: 'applied' },
  'redeem R-sending-arrived': { state: 'applied' },
  // Found under the order's number: the same bytes tell whether it is this reservation's or another one's.
  'commit C-unknown-arrived': { state: 'applied', sends: 'once_after_a_look' },
  'commit C-sending-arrived': { state: 'applied', sends: 'once_after_a_look' },
  'enroll N-enrolled#1': { held: ['enroll N-enrolled success'] },
  'enroll N-verified#1': { held: ['enroll N-verified success'] },
  'enroll N-verifying#1': { held: ['enroll N-verifying success'] },
};

const undone = ['E-undo-accepted', 'E-undo-unknown', 'E-undo-sending', 'E-undo-queued'];

export function endOf(row: FrozenRow): End {
  const end = { ...usualEnd(row), ...special[`${row.intent} ${row.external_ref}`] };
  return { held: heldOf(row, end.state), ...end };
}

function usualEnd({ intent, external_ref, state }: FrozenRow): Omit<End, 'held'> {
  if (undone.includes(external_ref)) return { state: 'reversed', sends: 'never' };
  if (state === 'accepted') return { state: 'applied', sends: 'never' };
  if (!openStates.has(state)) return { state, sends: 'never' };
  switch (intent) {
    case 'earn':
    case 'reverse':
    // Whatever was let go is to be free; the books cannot be asked.
    case 'release':
      return { state: 'applied', sends: 'once' };
    default:
      return { state: 'cancelled', sends: 'never' };
  }
}

function heldOf({ intent, external_ref }: FrozenRow, state: string): readonly string[] {
  const status = { applied: 'success', reversed: 'reversed', failed: 'failed' }[state];
  const name = intent === 'reverse' ? 'reverse' : intentInBooks[intent];
  return name === undefined || status === undefined ? [] : [`${name} ${external_ref} ${status}`];
}

/** On the one rewards card that nearly everything of the story is about. */
export function pointsAtEnd(schema: number): number {
  const start = 245.5;
  const earned = 5 * ['applied', 'accepted', 'queued', 'unknown', 'unknown', 'sending', 'sending'].length;
  if (schema < 2) return start + earned;
  const corrected = 9;
  const replaced = 5;
  const foundLater = schema < 8 ? 0 : 5;
  const spent = 7 + 2 + 1 + 1;
  const committed = 3 * 2;
  const late = schema < 16 ? 0 : 3;
  return start + earned + corrected + replaced + foundLater - spent - committed - late;
}
