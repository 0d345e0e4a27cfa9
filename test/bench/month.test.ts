import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { runContender, startBenchService } from './contender.ts';

it('a month is measured to its end: what is old is erased, each night', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-month-'));
  const service = await startBenchService({ applyAfterMs: 0, hidesTime: true });
  try {
    const input = { dataDir, baseUrl: service.baseUrl, days: 3, salesPerDay: 16, retentionDays: 1 };
    const { fileBytes } = await runContender({
      name: 'month',
      input,
      result: z.object({ fileBytes: z.array(z.number()) }),
    });
    expect(fileBytes).toHaveLength(3);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
