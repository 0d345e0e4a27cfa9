import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface RendererFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly cacheControl: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * The built screen, whole in memory and by address (`/index.html`, `/assets/...`): what is not one of its files cannot
 * be asked for, and a build that replaces them under a running agent breaks no open page.
 */
export function readRendererFiles(rendererDir: string): ReadonlyMap<string, RendererFile> {
  if (!existsSync(join(rendererDir, 'index.html'))) {
    throw new Error(`The cashier screen is not built: ${join(rendererDir, 'index.html')} does not exist.`);
  }
  const files = new Map<string, RendererFile>();
  for (const entry of readdirSync(rendererDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = path.slice(rendererDir.length).replaceAll('\\', '/');
    files.set(address, {
      bytes: readFileSync(path),
      contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
      // Names under assets/ carry a hash of the content.
      cacheControl: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  }
  return files;
}
