// The values that columns of an operation may have: the tables list them, and everybody else means them.

/** Who asked for it: the cashier's screen, or a POS program over the bridge. */
export const operationOrigins = ['till', 'bridge'] as const;
export type OperationOrigin = (typeof operationOrigins)[number];

/** Deferred: answered when saved, sent when possible. Immediate: someone waits for the service's answer. */
export const deliveries = ['deferred', 'immediate'] as const;
export type Delivery = (typeof deliveries)[number];

/** Who said when it happened. */
export const instantSources = ['caller', 'till'] as const;

/**
 * What was decided while the outcome was not known: `take_full_payment` will not be sent again and is undone should the
 * service hold it; `give_it` is finished when the line is back.
 */
export const decisions = ['take_full_payment', 'give_it'] as const;
export type Decision = (typeof decisions)[number];

/**
 * What the service's books showed of an operation after the till had said that they hold nothing of it: it stands, or
 * it stands as it was before somebody corrected it. A person decides whether it is kept.
 */
export const foundLater = ['stands', 'earlier_version'] as const;
export type FoundLater = (typeof foundLater)[number];

/** What an operation gave that has no value of its own. */
export const givenKinds = ['reward', 'coupon'] as const;
