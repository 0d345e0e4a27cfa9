import { expect, it } from 'vitest';
import { createRecent } from '../../../renderer/recent/recent.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

const undoOf = (recent: ReturnType<typeof createRecent>, operationId: string) => recent.undos.value.get(operationId);

it('asks for a manager’s PIN where the agent does, and takes back under the same press', async () => {
  const api = new AskedApi();
  const recent = createRecent(
    { api, clock: new ManualClock(), newId: () => 'press-1', nowMs: () => 0 },
    () => undefined,
  );
  const sale = operationOf({ state: 'applied', undo: 'reverse' });
  const { operation_id } = sale;
  await recent.undo(sale);
  void recent.undo(sale);
  const asked = { operation_id: 'press-1', reverses: operation_id };
  expect(api.newest('operation.reverse').input).toEqual(asked);
  await api.newest('operation.reverse').refuse('pin_needed');
  expect(undoOf(recent, operation_id)).toMatchObject({ kind: 'pin_asked', pin: '', error: { code: 'pin_needed' } });
  recent.typePin(operation_id, '٤٧١١');
  void recent.undo(sale);
  expect(api.newest('operation.reverse').input).toEqual({ ...asked, pin: '4711' });
  await api.newest('operation.reverse').refuse('pin_wrong');
  expect(undoOf(recent, operation_id)).toMatchObject({ kind: 'pin_asked', pin: '', error: { code: 'pin_wrong' } });
  recent.keep(operation_id);
  expect(undoOf(recent, operation_id)).toBeUndefined();
});

it('asks for it where a waiting sale is cancelled', async () => {
  const api = new AskedApi();
  const recent = createRecent(
    { api, clock: new ManualClock(), newId: () => 'press-1', nowMs: () => 0 },
    () => undefined,
  );
  const sale = operationOf({ state: 'queued', undo: 'cancel' });
  void recent.undo(sale);
  await api.newest('operation.cancel').refuse('pin_needed');
  recent.typePin(sale.operation_id, '4711');
  void recent.undo(sale);
  expect(api.newest('operation.cancel').input).toEqual({ operation_id: sale.operation_id, pin: '4711' });
});
