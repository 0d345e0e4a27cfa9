import { beforeEach, describe, expect, it } from 'vitest';
import { createRecent, type Recent } from '../../../renderer/recent/recent.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

const sale = operationOf({ external_ref: 'R-1', row_id: 1, version: 2, state: 'applied', undo: 'reverse' });
const ended = { ...sale, version: 3, state: 'failed' as const, undo: null };
const reversal = operationOf({
  external_ref: 'R-1-back',
  row_id: 2,
  intent: 'reverse',
  state: 'sending',
  reverses_row_id: 1,
});

let api: AskedApi;
let recent: Recent;
const undoKind = () => recent.undos.value.get(sale.operation_id)?.kind;
const happens = (operation: typeof sale) => api.tell({ type: 'operation', operation });

beforeEach(() => {
  api = new AskedApi();
  let presses = 0;
  recent = createRecent(
    { api, clock: new ManualClock(), newId: () => `press-${++presses}`, nowMs: () => 0 },
    () => undefined,
  );
  happens(sale);
});

describe('the question whether to undo', () => {
  it('falls away when the operation ends otherwise, and is not left over a refusal', async () => {
    await recent.undo(sale);
    happens(ended);
    expect(undoKind()).toBeUndefined();
  });

  it('falls away when somebody else undoes it', async () => {
    await recent.undo(sale);
    happens(reversal);
    expect(undoKind()).toBeUndefined();
  });

  it('stays while its manager’s PIN is typed, which would be typed elsewhere, and the press then ends it', async () => {
    await recent.undo(sale);
    void recent.undo(sale);
    await api.newest('operation.reverse').refuse('pin_needed');
    recent.typePin(sale.operation_id, '47');
    happens(ended);
    expect(undoKind()).toBe('pin_asked');
    const asked = api.asked.length;
    await recent.undo(ended);
    expect([undoKind(), api.asked.length]).toEqual([undefined, asked]);
  });

  it('says why it was not undone until that was read, also while the failed reversal is still told', async () => {
    await recent.undo(sale);
    void recent.undo(sale);
    happens(reversal);
    await api.newest('operation.reverse').refuse('not_sent');
    happens({ ...sale, version: 3 });
    expect(undoKind()).toBe('failed');
  });
});

describe('an undo whose answer is lost', () => {
  const lose = async () => {
    await recent.undo(sale);
    void recent.undo(sale);
    await api.newest('operation.reverse').refuse('agent_gone');
  };

  it('is pressed once more as the same press', async () => {
    await lose();
    expect(undoKind()).toBe('unanswered');
    void recent.undo(sale);
    const presses = api.asked.filter(({ command }) => command === 'operation.reverse').map(({ input }) => input);
    expect(presses).toEqual(Array(2).fill({ operation_id: 'press-1', reverses: sale.operation_id }));
  });

  it('asks nothing more where it is under way', async () => {
    await recent.undo(sale);
    void recent.undo(sale);
    happens(reversal);
    await api.newest('operation.reverse').refuse('agent_gone');
    expect(undoKind()).toBeUndefined();
  });

  it('asks nothing more when the agent is back and tells that it is under way', async () => {
    await lose();
    const reading = recent.read();
    await api.newest('operations.recent').answer({ operations: [reversal, sale] });
    await reading;
    expect(undoKind()).toBeUndefined();
  });
});
