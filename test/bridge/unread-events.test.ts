import { expect, test, vi } from 'vitest';
import { createEvents } from '../../app/bridge/events.ts';
import { FakeCore } from '../support/fake-core.ts';
import { fakeOperation } from '../support/fake-records.ts';

const reader = { referencePrefixes: [], sees: () => true, hasTaken: () => false, isStillKnown: () => true };

test('a change that nobody hears of is not read from the database, and can be caught up with all the same', () => {
  const core = new FakeCore();
  const [readOperation, readStatus] = [vi.spyOn(core, 'operation'), vi.spyOn(core, 'status')];
  const events = createEvents({ core, clock: core.clock, runId: 'run', versions: {} });
  for (let rowId = 1; rowId <= 50; rowId += 1) core.emitOperation(fakeOperation({ rowId, externalRef: `R-${rowId}` }));
  core.emit({ type: 'status' });
  expect(readOperation).not.toHaveBeenCalled();
  expect(readStatus).not.toHaveBeenCalled();

  const lines: string[] = [];
  const request = {
    method: 'GET',
    target: '/v1/agent/events',
    header: () => 'run-48',
    readBody: async () => new Uint8Array(),
  };
  const { stream } = events.answer(request, '', reader);
  const end = stream?.({ write: (text) => lines.push(text), end: () => undefined });
  expect(lines.join('')).toMatch(/"R-49".*"R-50"/s);
  expect(lines.join('')).not.toContain('"R-48"');
  core.emitOperation(fakeOperation({ rowId: 51, externalRef: 'R-51' }));
  expect(lines.at(-1)).toContain('"R-51"');
  end?.();
  events.close();
});
