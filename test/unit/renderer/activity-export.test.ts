import { beforeEach, describe, expect, it } from 'vitest';
import { createExport } from '../../../renderer/activity/export.ts';
import { everything } from '../../../renderer/activity/filter.ts';
import { activityCsvHead } from '../../../shared/till/activity-csv.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

let api: AskedApi;
let exported: ReturnType<typeof createExport>;
let written: string[];
const file = { write: (text: string) => written.push(text), save: () => written.push('saved') };
const found = (external_ref: string, before_row: number | null) =>
  api
    .newest('activity.list')
    .answer({ operations: [operationOf({ external_ref })], origins: [], tries: [], before_row });
const asked = () => api.asked.map(({ input }) => input);

beforeEach(() => {
  api = new AskedApi();
  exported = createExport(api);
  written = [];
  void exported.run({ ...everything, day: '2026-11-20' }, file);
});

describe('an export', () => {
  it('writes part by part, under the filter with which it began, and saves the file at the end', async () => {
    await found('R-2', 20);
    expect(exported.state.value).toEqual({ count: 1, failure: null });
    await found('R-1', null);
    expect(asked()).toEqual([
      { limit: 500, business_date: '2026-11-20', with_origins: true },
      { limit: 500, business_date: '2026-11-20', with_origins: true, before_row: 20 },
    ]);
    expect(written).toEqual([activityCsvHead, expect.stringContaining('R-2'), expect.stringContaining('R-1'), 'saved']);
    expect(exported.state.value).toBeNull();
  });

  it('is one at a time', async () => {
    await exported.run(everything, file);
    expect(api.asked).toHaveLength(1);
  });

  it('that failed says so, and may begin anew', async () => {
    await api.newest('activity.list').refuse('agent_gone');
    expect(exported.state.value).toMatchObject({ count: 0, failure: { code: 'agent_gone' } });
    void exported.run(everything, file);
    await found('R-1', null);
    expect(written.at(-1)).toBe('saved');
  });

  it('that is cancelled saves nothing', async () => {
    exported.cancel();
    await found('R-2', null);
    expect([exported.state.value, written]).toEqual([null, [activityCsvHead]]);
  });

  it('of a screen that is left saves nothing, and shows nothing else', async () => {
    exported.leave();
    await found('R-2', null);
    expect(written).toEqual([activityCsvHead]);
  });
});
