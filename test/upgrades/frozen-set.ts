import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { z } from 'zod';
import { serviceFile, tillFile } from './shop.ts';

const folder = join(import.meta.dirname, 'frozen');
const manifestFile = 'as-frozen.json';
/** A log holds the same pages many times, far apart: brotli sees that, and a zip alone does not. */
const extension = '.zip.br';

/** A row as its own program told it. Older programs called the number of a send `attempt`. */
const toldSchema = z.object({
  operation: z.record(z.string(), z.unknown()),
  history: z.array(z.record(z.string(), z.unknown()).transform(({ attempt, ...line }) => ({ send: attempt, ...line }))),
});

const manifestSchema = z.strictObject({
  /** Of the agent's database, and of the sandbox service's. */
  schema: z.int(),
  serviceSchema: z.int(),
  /** Of the program that wrote the files; null: the one that the set was added with. */
  commit: z.string().nullable(),
  frozenAtMs: z.int(),
  serviceStarts: z.int(),
  told: z.array(toldSchema),
});
type Manifest = z.infer<typeof manifestSchema>;

/** The files of a till and its sandbox service as a kill left them, and what they were to their own program. */
export interface FrozenSet extends Manifest {
  readonly name: string;
  /** By the names that they had in the till's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** What belongs to a database: the rest is made again when it is opened. */
function isDatabaseFile(name: string): boolean {
  return [tillFile, serviceFile].some((file) => name.startsWith(file)) && !name.endsWith('-shm');
}

function setName({ schema, serviceSchema }: Pick<Manifest, 'schema' | 'serviceSchema'>): string {
  return `till-${schema}-service-${serviceSchema}`;
}

export function writeFrozenSet(set: Omit<FrozenSet, 'name'>): string {
  const { files, ...manifest } = set;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, setName(set) + extension);
  const entries = { [manifestFile]: strToU8(JSON.stringify(manifest)), ...Object.fromEntries(files) };
  const zip = zipSync(entries, { level: 0, mtime: '2026-01-01T00:00:00Z' });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(path, brotliCompressSync(zip, { params }));
  return path;
}

/** Oldest first. */
export function readFrozenSets(): readonly FrozenSet[] {
  const sets = readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name): FrozenSet => {
      const { [manifestFile]: manifest, ...files } = unzipSync(brotliDecompressSync(readFileSync(join(folder, name))));
      if (manifest === undefined) throw new Error(`${name} has no ${manifestFile}`);
      return {
        ...manifestSchema.parse(JSON.parse(strFromU8(manifest))),
        name: basename(name, extension),
        files: new Map(Object.entries(files)),
      };
    });
  return sets.toSorted((one, other) => one.schema - other.schema || one.serviceSchema - other.serviceSchema);
}

export function putFiles(files: ReadonlyMap<string, Uint8Array>, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(into, name), bytes);
}

/** The files of a till and its service as they lie on the disk now. */
export function takeFiles(from: string): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(from).filter(isDatabaseFile).toSorted();
  return new Map(names.map((name) => [name, readFileSync(join(from, name))]));
}
