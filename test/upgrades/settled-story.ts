import type { AddOutcome } from '../../app/people/people.ts';
import type { TillActs } from './till-acts.ts';

const dayMs = 86_400_000;

/**
 * Everything that has come to an end, done with a line that works. What a schema did not know, its program cannot do:
 * that is left out.
 */
export async function liveThroughDays(till: TillActs, schema: number): Promise<void> {
  await till.untilLine(true);
  await deferredSales(till);
  if (schema >= 2) await immediateWrites(till);
  if (schema >= 3) await till.settled(till.shop.core.identify({ loyalty_id: 'LC-1014' }));
  if (schema >= 4) await addPeople(till);
  if (schema >= 8) await foundLater(till);
  const firstDay = new Date(till.shop.clock.now()).toISOString().slice(0, 10);
  // Codes and holds of before run out, and there is a day that can be closed.
  await till.shop.pass(dayMs, 60_000);
  await till.untilLine(true);
  if (schema >= 7) await closeDay(till, firstDay);
  if (schema >= 16) await lateRequest(till);
}

async function deferredSales(till: TillActs): Promise<void> {
  await till.earn('E-applied');
  await till.earn('E-amount', { loyalty_id: 'LC-1002' }, { amount_minor: 12_500, currency: 'KWD' });
  await till.earn('E-stamps', { loyalty_id: 'LC-1003' }, { stamps: 2 });
  await till.earn('E-visit', { loyalty_id: 'LC-1004' }, { visits: 1 });
  await till.refused('E-refused');
  await till.failed('E-failed');
  await till.fault('/*', { type: 'offline' });
  await till.untilLine(false);
  const { operationId } = await till.save('E-cancelled');
  const cancelled = await till.shop.core.cancel(operationId);
  if (cancelled.kind !== 'cancelled') throw new Error(`It was not cancelled: ${cancelled.kind}`);
  await till.mend();
  await till.untilLine(true);
}

async function immediateWrites(till: TillActs): Promise<void> {
  await till.earn('E-reversed');
  await till.reverse('E-reversed', 'earn');
  await till.until('E-reversed', 'reversed');
  await till.refused('E-written-off');
  await till.decide('writeOff', 'E-written-off');
  await till.failed('E-replaced');
  await till.decide('replace', 'E-replaced');
  await till.until('E-replaced-2', 'applied');
  await till.done(till.redemption('R-applied', { points: 7 }));
  await till.done(till.redemption('R-reversed', { points: 8 }));
  await till.reverse('R-reversed', 'redeem');
  await till.until('R-reversed', 'reversed', 'redeem');
  await till.done(till.redemption('R-reward', { reward: true }, { loyalty_id: 'LC-1003' }));
  await refusedRedemption(till, 'R-refused');
  const committed = await till.begun(till.reservation('H-committed'));
  await till.done(till.commit('C-applied', committed));
  const released = await till.begun(till.reservation('H-released'));
  await till.done(till.release(released));
  await till.done(till.reservation('H-expired'));
  const enrolled = await till.begun(till.enrollment('N-enrolled', '+96550009901'));
  await till.done(await till.verification(enrolled));
}

async function addPeople(till: TillActs): Promise<void> {
  const { people } = till.shop.core;
  // A PIN is hashed slowly, in real time.
  const manager = await people.addManager('Mona', '471100');
  const sami = { name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' };
  // An older program takes each by itself.
  const isOlder = people.addCashier.length === 3;
  const cashier: AddOutcome = await (isOlder
    ? Reflect.apply(people.addCashier, people, Object.values(sami))
    : people.addCashier(sami));
  if (manager.kind !== 'added' || cashier.kind !== 'added') throw new Error('Nobody was added');
}

/** A sale that was lost once and then refused; its first bytes arrive all the same, and the books show it. */
async function foundLater(till: TillActs): Promise<void> {
  await till.fault('/transactions/earn', { type: 'drop_request' }, 'E-found');
  await till.save('E-found');
  await till.until('E-found', 'unknown');
  await till.mend();
  await till.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 'E-found');
  const { rowId } = await till.until('E-found', 'refused');
  await till.mend();
  const sent = till.shop.core.sentRequest(rowId);
  await till.shop.call('POST', '/v1/transactions/earn', JSON.parse(sent?.body ?? ''));
  for (let turn = 0; till.row('E-found').found === null; turn += 1) {
    if (turn > 400) throw new Error('It was not found at the service');
    await till.shop.pass(10_000, 1_000);
  }
}

/** A number that was refused and is used again once its day is closed. */
async function lateRequest(till: TillActs): Promise<void> {
  await refusedRedemption(till, 'R-late');
  const { today } = await till.settled(till.shop.core.days.read(null));
  await closeDay(till, today);
  await till.done(till.redemption('R-late', { points: 3 }));
}

async function refusedRedemption(till: TillActs, externalRef: string): Promise<void> {
  const tooMuch = await till.outcomeOf(till.redemption(externalRef, { points: 99_999 }));
  if (tooMuch.kind !== 'refused') throw new Error(`More than there is was ${tooMuch.kind}`);
}

async function closeDay(till: TillActs, businessDate: string): Promise<void> {
  const { days } = till.shop.core;
  const { open } = await till.settled(days.read(businessDate));
  const acknowledgedOpen = open.waiting + open.attention;
  const closed = await till.settled(days.close(businessDate, { closedBy: 'Mona', acknowledgedOpen }));
  if (closed.kind !== 'closed') throw new Error(`The day was not closed: ${closed.kind}`);
}
