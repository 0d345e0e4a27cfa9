import { z } from 'zod';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { ProgramShop } from './shop.ts';

/** Of the demo customers the one with a rewards card. */
const fatima: Identifier = { loyalty_id: 'LC-1001' };
const decider = { person: 'Maha', reason: 'seen at the till' };
type FaultEffect = { readonly type: string; readonly status?: number; readonly code?: string };

/** What cashiers, POS programs and managers do at a till of any version. Each throws when it does not come to be so. */
const begunId = z.union([
  z.object({ reservation_id: z.string() }).transform(({ reservation_id }) => reservation_id),
  z.object({ enrollment_id: z.string() }).transform(({ enrollment_id }) => enrollment_id),
]);

export class TillActs {
  readonly shop: ProgramShop;
  #presses = 0;

  constructor(shop: ProgramShop) {
    this.shop = shop;
  }

  newId(): string {
    this.#presses += 1;
    return `00000000-0000-4000-8000-${String(this.#presses).padStart(12, '0')}`;
  }

  async save(externalRef: string, identifier: Identifier = fatima, value: object = { points: 5 }): Promise<Operation> {
    const saved = await this.shop.core.saveEarn({
      origin: 'bridge',
      posName: 'kiosk',
      operationId: this.newId(),
      request: { identifier, external_ref: externalRef, ...value },
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
    });
    if (saved.kind !== 'saved') throw new Error(`${externalRef} was not saved: ${saved.kind}`);
    return saved.operation;
  }

  async earn(externalRef: string, identifier: Identifier = fatima, value: object = { points: 5 }): Promise<Operation> {
    await this.save(externalRef, identifier, value);
    return this.until(externalRef, 'applied');
  }

  async refused(externalRef: string): Promise<Operation> {
    await this.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, externalRef);
    await this.save(externalRef);
    const operation = await this.until(externalRef, 'refused');
    await this.mend();
    return operation;
  }

  /** Accepted by the service, and then failed by it. */
  async failed(externalRef: string): Promise<Operation> {
    await this.save(externalRef);
    const { serviceTransactionId } = await this.until(externalRef, 'accepted');
    await this.shop.call('POST', `/_sandbox/transactions/${serviceTransactionId}/fail`, { code: 'INTERNAL' });
    return this.until(externalRef, 'failed');
  }

  write(part: Pick<NonEarnWrite, 'intent' | 'path' | 'externalRef' | 'body'>): NonEarnWrite {
    return {
      origin: 'till',
      operationId: this.newId(),
      identifier: null,
      customerName: 'Fatima',
      idempotencyKey: null,
      reversesRowId: null,
      ...part,
    };
  }

  redemption(externalRef: string, value: object = { points: 1 }, identifier: Identifier = fatima): NonEarnWrite {
    const body = { identifier, external_ref: externalRef, ...value };
    return { ...this.write({ intent: 'redeem', path: '/transactions/redeem', externalRef, body }), identifier };
  }

  reservation(externalRef: string): NonEarnWrite {
    const body = { identifier: fatima, external_ref: externalRef, points: 2 };
    return this.write({ intent: 'reserve', path: '/redemptions/reserve', externalRef: `${externalRef}#1`, body });
  }

  commit(externalRef: string, reservationId: string): NonEarnWrite {
    const path = `/redemptions/${reservationId}/commit`;
    return this.write({ intent: 'commit', path, externalRef, body: { external_ref: externalRef } });
  }

  release(reservationId: string): NonEarnWrite {
    const path = `/redemptions/${reservationId}/release`;
    return this.write({ intent: 'release', path, externalRef: `${reservationId}#1`, body: null });
  }

  enrollment(externalRef: string, phone: string): NonEarnWrite {
    const body = { external_ref: externalRef, phone, name: 'Huda' };
    return this.write({ intent: 'enroll', path: '/customers/enroll', externalRef: `${externalRef}#1`, body });
  }

  async verification(enrollmentId: string): Promise<NonEarnWrite> {
    const { otp } = await this.shop.call('GET', `/_sandbox/otp/${enrollmentId}`);
    const body = { enrollment_id: enrollmentId, otp };
    return this.write({ intent: 'verify', path: '/customers/enroll/verify', externalRef: `${enrollmentId}#1`, body });
  }

  /** Does a write that begins something. @returns the service's id of what was begun */
  async begun(write: NonEarnWrite): Promise<string> {
    return begunId.parse(await this.done(write));
  }

  /** @returns what the service answered */
  async done(write: NonEarnWrite): Promise<unknown> {
    const outcome = await this.outcomeOf(write);
    if (outcome.kind !== 'done') throw new Error(`${write.externalRef} came to ${JSON.stringify(outcome)}`);
    return outcome.answer;
  }

  async outcomeOf(write: NonEarnWrite): Promise<{ readonly kind: string; readonly answer?: unknown }> {
    return this.settled(this.shop.core.perform(write, { waitMs: 0 }));
  }

  /** Lets time pass until it is there. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const watched = promise.finally(() => {
      isSettled = true;
    });
    watched.catch(() => undefined);
    for (let turn = 0; !isSettled; turn += 1) {
      if (turn > 400) throw new Error('It does not settle');
      await this.shop.pass(250);
    }
    return watched;
  }

  /** Takes it back: at once where somebody has to wait for it, else when it can be. */
  async reverse(externalRef: string, intent: string): Promise<void> {
    const outcome = await this.startReversal(externalRef, intent);
    if (outcome !== null) await this.done(outcome);
  }

  /** @returns what somebody has to wait for; null when it is saved, or there was nothing to undo at the service */
  async startReversal(externalRef: string, intent: string): Promise<NonEarnWrite | null> {
    const { core } = this.shop;
    const request = {
      origin: 'till',
      operationId: this.newId(),
      reversalRef: null,
      reason: null,
      idempotencyKey: null,
    };
    const outcome = await core.reverse(this.row(externalRef, intent).rowId, { ...request, origin: 'till' });
    if (outcome.kind === 'immediate') return outcome.write;
    if (outcome.kind === 'saved' || outcome.kind === 'cancelled') return null;
    throw new Error(`${externalRef} cannot be taken back: ${outcome.kind}`);
  }

  async decide(decision: 'resend' | 'replace' | 'writeOff', externalRef: string): Promise<void> {
    const { operationId } = this.row(externalRef);
    const outcome = await this.settled(this.shop.core[decision](operationId, decider));
    if (outcome.kind !== 'done') throw new Error(`${decision} of ${externalRef}: ${outcome.kind}`);
  }

  async correct(externalRef: string, correction: { readonly points: number }): Promise<void> {
    const { operationId } = this.row(externalRef);
    const outcome = await this.settled(this.shop.core.correct(operationId, correction, decider));
    if (outcome.kind !== 'done') throw new Error(`correction of ${externalRef}: ${outcome.kind}`);
  }

  row(externalRef: string, intent = 'earn'): Operation {
    const found = this.shop.core.operationsByReference(externalRef).find((each) => each.intent === intent);
    if (found === undefined) throw new Error(`There is no ${intent} ${externalRef}`);
    return found;
  }

  async until(externalRef: string, state: OperationState, intent = 'earn'): Promise<Operation> {
    for (let turn = 0; turn < 400; turn += 1) {
      const row = this.row(externalRef, intent);
      if (row.state === state) return row;
      await this.shop.pass(250);
    }
    const { state: stands } = this.row(externalRef, intent);
    throw new Error(`${intent} ${externalRef} is ${stands} and does not come to be ${state}`);
  }

  /** Until the agent counts the line as up, or as down. */
  async untilLine(isUp: boolean): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) {
      const { state } = this.shop.core.status().connection;
      if ((state === 'online') === isUp && state !== 'checking') return;
      // A read is what finds out.
      void this.shop.core.identify({ loyalty_id: 'LC-1009' }).catch(() => undefined);
      await this.shop.pass(1_000);
    }
    throw new Error(`The line is ${this.shop.core.status().connection.state}`);
  }

  async fault(path: string, effect: FaultEffect, externalRef?: string): Promise<void> {
    const match = { path, ...(externalRef === undefined ? {} : { external_ref: externalRef }) };
    const answer = await this.shop.call('POST', '/_sandbox/faults', { match, effect });
    if (answer.id === undefined) throw new Error(JSON.stringify(answer));
  }

  mend(): Promise<unknown> {
    return this.shop.call('DELETE', '/_sandbox/faults');
  }

  async applyDelay(durationMs: number): Promise<void> {
    await this.shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: durationMs });
  }
}
