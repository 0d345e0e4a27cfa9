// Names that stand in the database and in settings, without a schema: an agent starts without those of its screen.

export const connectionStates = ['online', 'checking', 'offline', 'key_refused', 'suspended', 'clock_wrong'] as const;
/** What the top bar says of the line to the service. */
export type ConnectionState = (typeof connectionStates)[number];

export const causes = [
  'offline',
  'tls',
  'timeout',
  'not_the_service',
  'service',
  'throttled',
  'unauthenticated',
  'suspended',
  'refused',
] as const;
/** Why an attempt brought no success (design "Causes are told apart"). */
export type Cause = (typeof causes)[number];

export const recoveryReasons = [
  /** Somebody put a backup in place. */
  'restored',
  /** The file was damaged. */
  'damaged',
  /** Its log was damaged. */
  'log_damaged',
  /** What stood last in its log is gone. */
  'log_missing',
  /** Somebody put an older copy of it in place. */
  'older',
  /** Somebody put the database of another till in its place. */
  'another',
  /** It was gone when the agent started. */
  'missing',
  /** Its files were deleted, replaced or cut while the agent ran; what it held was saved to a new file. */
  'moved',
] as const;
/** Why a database took another's place, or is not known to be whole. */
export type RecoveryReason = (typeof recoveryReasons)[number];

export const savingTroubles = [
  /** Another program has locked the database. */
  'locked',
  'disk_full',
  /** The disk or the file takes no change for another reason. */
  'disk_refuses',
] as const;
/** Why nothing can be saved. */
export type SavingTrouble = (typeof savingTroubles)[number];
