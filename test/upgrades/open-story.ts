import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { Decision } from '../../app/store/schema/operation-values.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { TillActs } from './till-acts.ts';

/** Long enough that what is accepted stays so until the end of the story. */
const applyDelayMs = 600_000;

/**
 * Everything that is open when the till is killed. Of each kind of write one is queued, some are on their way, and some
 * have an unknown outcome: `lost` never reached the service, of `arrived` the answer is missing.
 */
export async function leaveOpen(till: TillActs, schema: number): Promise<void> {
  const knowsImmediate = schema >= 2;
  if (knowsImmediate) await till.refused('E-corrected');
  const writes = knowsImmediate ? await prepareImmediate(till) : [];
  await till.applyDelay(applyDelayMs);
  await till.save('E-accepted');
  await till.until('E-accepted', 'accepted');
  if (knowsImmediate) {
    await till.startReversal('E-undo-accepted', 'earn');
    await till.until('reverse-earn-E-undo-accepted', 'accepted', 'reverse');
  }
  await breakLine(till, knowsImmediate);
  await Promise.all([
    ...Object.entries(openEarns).map(([externalRef, identifier]) => till.save(externalRef, identifier)),
    ...(knowsImmediate ? ['E-undo-unknown', 'E-undo-sending'].map((ref) => till.startReversal(ref, 'earn')) : []),
  ]);
  // Nobody waits for the answer of what is held on the line.
  for (const write of writes) void till.shop.core.perform(write, { waitMs: 0 }).catch(() => undefined);
  await till.until('E-unknown-lost', 'unknown');
  await till.until('E-unknown-arrived', 'unknown');
  if (knowsImmediate) await decide(till);
  await till.fault('/*', { type: 'offline' });
  await till.untilLine(false);
  await till.save('E-queued');
  await till.save('E-queued-too', { loyalty_id: 'LC-1010' }, { amount_minor: 1_250, currency: 'KWD' });
  if (!knowsImmediate) return;
  await till.startReversal('E-undo-queued', 'earn');
  await till.correct('E-corrected', { points: 9 });
}

/** One customer in all the ways to name her: sales under one name go one after another. */
const openEarns: Readonly<Record<string, Identifier>> = {
  'E-unknown-lost': { loyalty_id: 'LC-1001' },
  'E-unknown-arrived': { phone: '+96599887766' },
  'E-sending-lost': { email: 'fatima.alsabah@example.com' },
  'E-sending-arrived': { external_id: 'crm-1001' },
};
const decided: Readonly<Record<string, Decision>> = {
  'R-give-lost': 'give_it',
  'R-give-arrived': 'give_it',
  'R-pay-lost': 'take_full_payment',
  'R-pay-arrived': 'take_full_payment',
};
const undecided = ['R-unknown-lost', 'R-unknown-arrived', 'R-sending-lost', 'R-sending-arrived'];

/** What is spent, kept and enrolled while the line breaks. */
async function prepareImmediate(till: TillActs): Promise<readonly NonEarnWrite[]> {
  await till.earn('E-undo-accepted');
  await till.earn('E-undo-queued');
  await till.earn('E-undo-unknown', { loyalty_id: 'LC-1009' });
  await till.earn('E-undo-sending', { loyalty_id: 'LC-1014' });
  await till.done(till.reservation('H-kept'));
  await till.done(till.enrollment('N-waiting', '+96550009911'));
  const writes: NonEarnWrite[] = [...Object.keys(decided), ...undecided].map((ref) => till.redemption(ref));
  for (const ref of ['unknown-lost', 'unknown-arrived', 'sending-lost', 'sending-arrived']) {
    const id = await till.begun(till.reservation(`H-of-${ref}`));
    writes.push(till.commit(`C-${ref}`, id));
  }
  for (const ref of ['released-unknown', 'released-sending']) {
    const id = await till.begun(till.reservation(`H-${ref}`));
    writes.push(till.release(id));
    await holdOrDrop(till, { text: `/redemptions/${id}/release`, how: ref, path: `/redemptions/${id}/release` });
  }
  const verified = await till.begun(till.enrollment('N-verified', '+96550009912'));
  const verifying = await till.begun(till.enrollment('N-verifying', '+96550009913'));
  writes.push(await till.verification(verified), await till.verification(verifying));
  await holdOrDrop(till, { text: `"${verifying}"`, how: 'sending-arrived', path: '/customers/enroll/verify' });
  for (const how of ['unknown-arrived', 'sending-lost']) {
    writes.push(till.reservation(`H-${how}`), till.enrollment(`N-${how}`, `+9655000992${how.length % 10}`));
  }
  return writes;
}

/** From now on each call meets what the end of its reference says, and no look at the books succeeds. */
async function breakLine(till: TillActs, knowsImmediate: boolean): Promise<void> {
  await till.fault('/transactions', { type: 'drop_request' });
  const kinds = knowsImmediate ? ['E', 'R', 'C', 'H', 'N'] : ['E'];
  for (const kind of kinds) {
    for (const how of ['unknown-lost', 'unknown-arrived', 'sending-lost', 'sending-arrived']) {
      await holdOrDrop(till, { text: `"${kind}-${how}"`, how, path: '/*', externalRef: `${kind}-${how}` });
    }
  }
  if (!knowsImmediate) return;
  for (const [externalRef] of Object.entries(decided)) {
    await holdOrDrop(till, { text: externalRef, how: `unknown-${externalRef}`, path: '/*', externalRef });
  }
  const reversal = '/transactions/reverse';
  await holdOrDrop(till, { text: '', how: 'unknown-lost', path: reversal, externalRef: 'E-undo-unknown' });
  await holdOrDrop(till, { text: '"E-undo-sending"', how: 'sending-arrived', path: reversal });
  await holdOrDrop(till, { text: '', how: 'unknown-arrived', path: '/customers/enroll/verify' });
}

interface Trouble {
  /** In path or body of what is held. */
  readonly text: string;
  readonly how: string;
  readonly path: string;
  readonly externalRef?: string;
}

async function holdOrDrop(till: TillActs, { text, how, path, externalRef }: Trouble): Promise<void> {
  const arrives = how.endsWith('arrived');
  if (how.includes('sending')) till.shop.held.push({ text, arrives });
  else await till.fault(path, { type: arrives ? 'drop_response' : 'drop_request' }, externalRef);
}

async function decide(till: TillActs): Promise<void> {
  for (const [externalRef, decision] of Object.entries(decided)) {
    const { operationId } = till.row(externalRef, 'redeem');
    const outcome = await till.settled(till.shop.core.decide(operationId, decision));
    if (outcome.kind !== 'decided') throw new Error(`${externalRef} could not be decided: ${outcome.kind}`);
  }
}
