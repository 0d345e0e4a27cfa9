import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const suffix = '?embedded';

/**
 * `import bytes from 'package/file?embedded'`: the file of a package as bytes. A bundle has them in itself, as it is moved
 * without the packages; a test reads the file.
 *
 * @param root where node_modules is
 */
export function embeddedFiles(root: string, place: 'in_the_bundle' | 'beside'): Plugin {
  return {
    name: 'embedded-files',
    enforce: 'pre',
    // An id that was resolved before is asked for again where its module comes from a cache.
    resolveId: (id) => (id.endsWith(suffix) ? `\0${id.replace(/^\0/, '')}` : null),
    load(id) {
      if (!id.startsWith('\0') || !id.endsWith(suffix)) return null;
      const path = join(root, 'node_modules', id.slice(1, -suffix.length));
      if (place === 'beside') {
        return `import { readFileSync } from 'node:fs';\nexport default readFileSync(${JSON.stringify(path)});`;
      }
      // The best compression takes seconds of each build, for a tenth less.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
      const packed = brotliCompressSync(readFileSync(path), { params }).toString('base64');
      return `import { brotliDecompressSync } from 'node:zlib';\nexport default brotliDecompressSync(Buffer.from('${packed}', 'base64'));`;
    },
  };
}
