import { toInstant } from '../../../shared/lib/clock.ts';
import { beginAsking, type Place, post, tagOf } from './asking.ts';
import { keptValues, type StepKind } from './steps.ts';

type StepOf<Kind extends StepKind['kind']> = Extract<StepKind, { readonly kind: Kind }>;

/** A sale, perhaps by two copies of the same request at once. */
export async function earnAtPos(place: Place, step: StepOf<'earn'>): Promise<void> {
  const { scheduler } = place.world;
  const { ref, loyaltyId, values } = step;
  const stamp = step.isStamped ? { occurred_at: toInstant(scheduler.nowMs) } : {};
  const body = {
    identifier: { loyalty_id: loyaltyId },
    external_ref: ref,
    ...values,
    employee_ref: tagOf(place),
    ...stamp,
  };
  const asked = beginAsking(place, { kind: 'earn', by: 'pos', ref, loyaltyId, values: keptValues(values) });
  const copies = Array.from({ length: step.copies }, () =>
    post(place, asked, { ...step, path: '/transactions/earn', body }),
  );
  await Promise.all(copies);
}

export async function redeemAtPos(place: Place, step: StepOf<'redeem'>): Promise<void> {
  const { ref, loyaltyId, values } = step;
  const body = { identifier: { loyalty_id: loyaltyId }, external_ref: ref, ...values, employee_ref: tagOf(place) };
  const asked = beginAsking(place, { kind: 'redeem', by: 'pos', ref, loyaltyId, values: keptValues(values) });
  await post(place, asked, { ...step, path: '/transactions/redeem', body });
}

export async function reverseAtPos(place: Place, step: StepOf<'reverse'>): Promise<void> {
  const { ref, intent, reversalRef, fullValues } = step;
  const known = step.by === 'id' ? knownTransactionId(place, step) : null;
  if (step.by === 'id' && known === null) return;
  const part = {
    reason: tagOf(place),
    ...(reversalRef === null ? {} : { reversal_ref: reversalRef }),
    ...(fullValues?.amount_minor === undefined ? {} : { amount_minor: fullValues.amount_minor }),
    ...(fullValues?.points === undefined ? {} : { points: fullValues.points }),
  };
  const path = known === null ? '/transactions/reverse' : `/transactions/${known}/reverse`;
  const body = known === null ? { external_ref: ref, intent, ...part } : part;
  const asked = beginAsking(place, { kind: 'reverse', by: 'pos', ref, originalIntent: intent });
  await post(place, asked, { ...step, path, body });
}

/** The id under which this till told of the original. */
function knownTransactionId({ world, till }: Place, { ref, intent }: StepOf<'reverse'>): string | null {
  for (const asked of world.asked.toReversed()) {
    const isIntent = asked.kind === intent || (intent === 'redeem' && asked.kind === 'commit');
    if (asked.till !== till.name || asked.ref !== ref || !isIntent) continue;
    const id = asked.told.findLast(({ transactionId }) => transactionId !== null)?.transactionId;
    if (id != null) return id;
  }
  return null;
}

/** A cart is held, and then its order is paid or not. */
export async function reserveAtPos(place: Place, step: StepOf<'reservation'>): Promise<void> {
  const { scheduler } = place.world;
  const { cart, order, loyaltyId, values, gapMs, ttlMinutes } = step;
  const kept = keptValues(values);
  const hold = beginAsking(place, { kind: 'reserve', by: 'pos', ref: cart, loyaltyId, values: kept });
  const held = await post(place, hold, {
    ...step,
    path: '/redemptions/reserve',
    body: { identifier: { loyalty_id: loyaltyId }, external_ref: cart, ...values, ttl_minutes: ttlMinutes },
  });
  const reservationId = held?.reservationId ?? null;
  if (reservationId === null) return;
  const path = `/redemptions/${reservationId}`;
  const commit = async (): Promise<void> => {
    const asked = beginAsking(place, { kind: 'commit', by: 'pos', ref: order, loyaltyId, values: kept, reservationId });
    await post(place, asked, { ...step, path: `${path}/commit`, body: { external_ref: order } });
  };
  const release = async (): Promise<void> => {
    const asked = beginAsking(place, { kind: 'release', by: 'pos', ref: reservationId, reservationId });
    await post(place, asked, { ...step, path: `${path}/release`, body: null });
  };
  await scheduler.sleep(gapMs);
  switch (step.course) {
    case 'commit':
      return commit();
    case 'late_commit':
      await scheduler.sleep(1_000_000);
      return commit();
    case 'release':
      return release();
    case 'release_commit':
      await release();
      return commit();
    case 'commit_release':
      await commit();
      return release();
    case 'nothing':
      return;
  }
}

/** A new customer: the code goes to the phone, and is typed at the till. */
export async function enrollAtPos(place: Place, step: StepOf<'enroll'>): Promise<void> {
  const { world } = place;
  const { ref, phone } = step;
  const asked = beginAsking(place, { kind: 'enroll', by: 'pos', ref, phone });
  const begun = await post(place, asked, {
    ...step,
    path: '/customers/enroll',
    body: { external_ref: ref, phone, name: tagOf(place) },
  });
  const enrollmentId = begun?.enrollmentId ?? null;
  if (enrollmentId === null || step.code === 'never') return;
  await world.scheduler.sleep(step.codeAfterMs);
  const otp = await world.codeOf(enrollmentId);
  if (otp === null) return;
  const verify = async (code: string): Promise<void> => {
    const typed = beginAsking(place, { kind: 'verify', by: 'pos', ref: enrollmentId, phone });
    await post(place, typed, {
      ...step,
      path: '/customers/enroll/verify',
      body: { enrollment_id: enrollmentId, otp: code },
    });
  };
  if (step.code === 'wrong_first') await verify(otp === '000000' ? '000001' : '000000');
  await verify(otp);
}
