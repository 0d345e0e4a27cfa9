import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileStatements } from '../../tools/statements.ts';

const app = join(import.meta.dirname, '..', '..', 'app');
const modules = [join(app, 'store', 'statements'), join(app, 'service', 'store', 'statements')].flatMap((folder) =>
  readdirSync(folder).map((file) => join(folder, file)),
);

describe('the statements that the build writes into the program', () => {
  it.each(modules.map((path) => [relative(app, path), path]))(
    'are those that %s compiles when it is loaded',
    async (_, path) => {
      const constants = await compileStatements(path);
      const built: object = await import(`data:text/javascript,${encodeURIComponent(constants)}`);
      // Under this name the module itself is loaded, as a program that runs from the sources does.
      const loaded: object = await import(`${path}?compiled-when-loaded`);
      expect({ ...built }).toEqual({ ...loaded });
      expect(Object.keys(loaded).length).toBeGreaterThan(0);
      expect(constants).not.toContain('import');
    },
  );

  it('are plain data: a module that exports more is refused', async () => {
    const made = mkdtempSync(join(tmpdir(), 'statements-'));
    try {
      const path = join(made, 'counting.mjs');
      writeFileSync(path, `export const counting = { count: { text: 'SELECT 1', decode: () => 1 } };`);
      await expect(compileStatements(path)).rejects.toThrow('counting: decode is no plain data');
    } finally {
      rmSync(made, { recursive: true });
    }
  });
});
