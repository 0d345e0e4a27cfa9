import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFigures } from './figures-table.ts';
import type { KeptRun } from './kept-run.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** @returns the files that were written */
export function writeTable(run: KeptRun): readonly string[] {
  const path = join(docs, 'performance.md');
  writeFileSync(path, withFigures(readFileSync(path, 'utf8'), run));
  return [path];
}

/** @returns the files that were written; a run that has not measured what a picture shows leaves that one as it is */
export async function writePictures(run: KeptRun): Promise<readonly string[]> {
  // Only here: the library takes longer to load than everything else.
  const { drawPictures } = await import('./pictures.ts');
  const folder = join(docs, 'images');
  mkdirSync(folder, { recursive: true });
  return [...drawPictures(run)].map(([name, svg]) => {
    const path = join(folder, name);
    writeFileSync(path, svg);
    return path;
  });
}
