import { describe, expect, it } from 'vitest';
import { actionsOf, causeOf, isSentTogether } from '../../../renderer/attention/groups.ts';
import { createAttention } from '../../../renderer/attention/state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

describe('what stands at the service after all', () => {
  const stands = operationOf({ state: 'applied', found: 'stands' });

  it('is a reason of its own, and can be kept or taken back', () => {
    expect(causeOf(stands)).toBe('stands');
    expect(actionsOf(stands)).toEqual(['keep', 'take_back']);
    const earlier = operationOf({ state: 'applied', found: 'earlier_version' });
    expect(causeOf(earlier)).toBe('earlier_version');
  });

  it('can only be kept where nothing takes it back', () => {
    expect(actionsOf({ ...stands, intent: 'redeem', one_shot: true })).toEqual(['keep']);
    expect(actionsOf({ ...stands, intent: 'reverse' })).toEqual(['keep']);
  });

  it('is decided with a reason', () => {
    const api = new AskedApi();
    const attention = createAttention({ api, clock: new ManualClock() });
    for (const [action, command] of [
      ['keep', 'attention.keep'],
      ['take_back', 'attention.take_back'],
    ] as const) {
      attention.begin(stands, action);
      attention.type({ reason: 'told' });
      void attention.confirm();
      expect(api.newest(command).input).toEqual({ operation_id: stands.operation_id, reason: 'told' });
      attention.leave();
    }
  });

  it('can be corrected also where it has failed', () => {
    const failed = { ...stands, found: null, state: 'failed' as const, intent: 'earn' as const };
    expect(actionsOf(failed)).toEqual(['replace', 'correct', 'write_off']);
    expect(actionsOf({ ...failed, intent: 'redeem' })).toEqual(['write_off']);
  });

  it('is read again when news of it comes', async () => {
    const api = new AskedApi();
    const clock = new ManualClock();
    const attention = createAttention({ api, clock });
    attention.readAgain();
    await api.newest('attention.list').answer({ operations: [] });
    api.tell({ type: 'operation', operation: stands });
    clock.advance(1_000);
    await api.newest('attention.list').answer({ operations: [stands] });
    expect(attention.operations.value).toEqual([stands]);
  });
});

describe('what was changed on the disk', () => {
  const changed = operationOf({
    state: 'refused',
    error: { code: 'CHANGED_ON_DISK', message: 'It was changed.', retryable: false, request_id: 'req_1' },
  });

  it('is sent one by one', () => {
    expect(isSentTogether(causeOf(changed))).toBe(false);
    expect(isSentTogether('insufficient_balance')).toBe(true);
  });

  it('is sent again with the PIN that the agent asks for', async () => {
    const api = new AskedApi();
    const attention = createAttention({ api, clock: new ManualClock() });
    const input = { operation_id: changed.operation_id, reason: 'compared' };
    attention.begin(changed, 'resend');
    attention.type({ reason: 'compared' });
    void attention.confirm();
    expect(api.newest('attention.resend').input).toEqual(input);
    expect(attention.deciding.value?.isPinAsked).toBe(false);
    await api.newest('attention.resend').refuse('pin_needed');
    expect(attention.deciding.value).toMatchObject({ isPinAsked: true, busy: false });
    attention.type({ pin: '٤٧١١' });
    void attention.confirm();
    expect(api.newest('attention.resend').input).toEqual({ ...input, pin: '4711' });
    attention.leave();
  });
});
