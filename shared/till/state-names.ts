// Names that are in the database and in settings. They have no schema, so that an agent can start without the schemas
// of its screen.

export const connectionStates = ['online', 'checking', 'offline', 'key_refused', 'suspended', 'clock_wrong'] as const;
/** The state of the connection to the service, as the top bar shows it. */
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
/** Why an attempt did not succeed (design "Causes are told apart"). */
export type Cause = (typeof causes)[number];

export const recoveryReasons = [
  /** Somebody restored a backup. */
  'restored',
  /** The file was damaged. */
  'damaged',
  /** Its log was damaged. */
  'log_damaged',
  /** The last entries of its log are gone. */
  'log_missing',
  /** Somebody replaced it by an older copy. */
  'older',
  /** Somebody replaced it by another till's database. */
  'another',
  /** A log that was not its own lay beside it and was put aside. Nothing is lost. */
  'stray_log',
  /** It was missing when the agent started. */
  'missing',
  /** Its files were deleted, replaced or cut while the agent ran. What it held was saved to a new file. */
  'moved',
] as const;
/** Why a database replaced another one, or may be incomplete. */
export type RecoveryReason = (typeof recoveryReasons)[number];

export const savingTroubles = [
  /** Another program has locked the database. */
  'locked',
  'disk_full',
  /** The disk or the file cannot be written for another reason. */
  'disk_refuses',
] as const;
/** Why nothing can be saved. */
export type SavingTrouble = (typeof savingTroubles)[number];
