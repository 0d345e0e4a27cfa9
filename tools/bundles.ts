import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { embeddedFiles } from './embedded-files.ts';
import { programManifest } from './program-manifest.ts';
import { compiledStatements } from './statements.ts';

/** The repository's root folder. */
export const root = join(import.meta.dirname, '..');

/** Everything the bundles are made of, relative to the root: a change in any of these makes dist/ stale. */
export const bundleSources = [
  'shared',
  'app',
  'main',
  'renderer',
  'package.json',
  'package-lock.json',
  'tools/bundles.ts',
  'tools/statements.ts',
  'tools/embedded-files.ts',
  'tools/program-manifest.ts',
  'tools/undici-parts',
  'tools/build.ts',
  'tools/keep-code.ts',
  'tools/rehearsed.ts',
];

/** One bundle: an entry, and the Vite configuration that writes it into `outDir`. */
type Bundle = {
  readonly name: string;
  /** Relative to the root. */
  readonly entry: string;
  /** What the entry becomes, relative to dist/. Published last, so that it never names a chunk that is not there yet. */
  readonly output: string;
  readonly config: (outDir: string) => InlineConfig;
};

/** What a bundle is made of besides our own code, and under which licences: what the notice is made from. */
export const licensesFileName = 'licenses.json';
const license = { fileName: licensesFileName };

// Electron's own module cannot be bundled; everything else is, so that a start reads few files. The desktop app, whose
// files stand in an archive, finds the driver and its native code where its packer puts them.
const neverBundled = { node24: ['electron'], node20: ['better-sqlite3', 'electron'] } as const;

const driverFolder = '__dirname';
/** Node's own resolution would read the driver's package.json for it: 1.5 ms of a start. */
const findDriver = `function driverFolder() {
	const folders = require.resolve.paths('better-sqlite3').map((modules) => path.join(modules, 'better-sqlite3', 'lib'));
	return folders.find((folder) => fs.existsSync(folder)) ?? path.dirname(require.resolve('better-sqlite3'));
}`;
/** The database driver looks for its native code beside its own twelve files, which are in the bundle now. */
const driverInBundle: Plugin = {
  name: 'driver-in-bundle',
  transform(code, id) {
    if (!/better-sqlite3[\\/]lib[\\/]binding\.js$/.test(id)) return null;
    if (!code.includes(driverFolder)) this.error('better-sqlite3 finds its native code in another way now.');
    return `${code.replaceAll(driverFolder, 'driverFolder()')}\n${findDriver}\n`;
  },
};

/** V8 keeps a file with any other letter at two bytes for each of them, and Node takes long to decode it. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  // The last step: what writes a chunk would put the letters themselves back.
  generateBundle(_options, outputs) {
    for (const output of Object.values(outputs)) {
      if (output.type !== 'chunk') continue;
      output.code = output.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The rules of all countries' phone numbers are one large object, which V8 would make in each start of a sandbox: 2 ms. */
const latePhoneRules: Plugin = {
  name: 'late-phone-rules',
  transform(code, id) {
    if (!id.endsWith('libphonenumber-js/metadata.min.json.js')) return null;
    const text = /^export default (\{.*\});?\s*$/m.exec(code)?.[1];
    if (text === undefined) return this.error('libphonenumber-js keeps its rules in another way now.');
    const getters = Object.keys(JSON.parse(text)).map((name) => `get ${name}() { return rules().${name}; }`);
    return `let made;\nconst rules = () => (made ??= JSON.parse(${JSON.stringify(text)}));\nexport default { ${getters.join(', ')} };\n`;
  },
};

const http2Half = `const connectH2 = require('./client-h2.js')`;
/** undici's HTTP/2 half brings in Node's, 9 ms of a start, and no service is spoken to in HTTP/2 (`networkDispatcher`). */
const noHttp2: Plugin = {
  name: 'no-http2',
  transform(code, id) {
    if (!id.endsWith('undici/lib/dispatcher/client.js')) return null;
    if (!code.includes(http2Half)) this.error('undici loads its HTTP/2 half in another way now: look at noHttp2.');
    return code.replace(http2Half, `const connectH2 = () => { throw new Error('HTTP/2 is not in this program.') }`);
  },
};

type NodeBundleOptions = {
  readonly name: string;
  readonly entry: string;
  readonly output: string;
  /** Electron 33, which some tests run in, has Node 20. */
  readonly target: 'node20' | 'node24';
  /** A sandboxed preload can require no file of its own: it must be one file. */
  readonly oneFile?: boolean;
  /** Modules whose part of the program is packed with all that it needs, in the order in which they are loaded. */
  readonly packed?: readonly string[];
};

/** All are CommonJS: Node starts it sooner than ES modules, and Electron's bundle must be loaded before Electron is ready. */
export function nodeBundle({ name, entry, output, target, oneFile = false, packed = [] }: NodeBundleOptions): Bundle {
  const slash = output.lastIndexOf('/');
  const folder = output.slice(0, slash);
  const entryFile = output.endsWith('package.json') ? null : output.slice(slash + 1);
  return {
    name,
    entry,
    output,
    config: (outDir) => ({
      configFile: false,
      root,
      logLevel: 'warn',
      publicDir: false,
      ssr: { noExternal: true, external: [...neverBundled[target]] },
      plugins: [
        compiledStatements,
        embeddedFiles(root, 'in_the_bundle'),
        driverInBundle,
        noHttp2,
        latePhoneRules,
        asciiOnly,
        ...(entryFile === null ? [programManifest(packed)] : []),
      ],
      resolve: { alias: [{ find: /^undici$/, replacement: join(root, 'tools', 'undici-parts', 'index.js') }] },
      build: {
        ssr: true,
        outDir: join(outDir, folder),
        emptyOutDir: false,
        ...(oneFile ? {} : { license }),
        target,
        minify: false,
        sourcemap: false,
        rolldownOptions: {
          input: join(root, entry),
          external: [...neverBundled[target]],
          // Then each part is loaded only by what uses it.
          treeshake: { moduleSideEffects: [{ test: /undici-parts/, sideEffects: false }] },
          output: {
            format: 'cjs',
            entryFileNames: entryFile ?? '[name]-[hash].cjs',
            chunkFileNames: 'chunks/[name]-[hash].cjs',
            ...(oneFile ? { codeSplitting: false } : {}),
          },
        },
      },
    }),
  };
}

const renderer: Bundle = {
  name: 'renderer',
  entry: 'renderer/index.html',
  output: 'renderer/index.html',
  config: (outDir) => ({
    configFile: false,
    root: join(root, 'renderer'),
    base: './',
    logLevel: 'warn',
    publicDir: false,
    // Tests build the page as it is shipped. Without this their environment would add what only developers read.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: join(outDir, 'renderer'),
      emptyOutDir: false,
      license,
      // Electron 33 and later, and kiosk browsers of the same age.
      target: 'chrome130',
      sourcemap: false,
      // The page's policy allows its own files alone: no data: addresses, no inline code.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              // All that a start needs, in one file: each further one costs a request, and is compressed by itself.
              { name: 'page', tags: ['$initial'] },
              // What the first words of each language need beside them.
              { name: 'first-words', test: /(state-words|plural)\.ts$/ },
            ],
          },
          // The first file names all others, and no compression shortens a hash. The bundler asks for 7 letters at least.
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
          assetFileNames: 'assets/[name]-[hash:7][extname]',
        },
      },
      modulePreload: {
        polyfill: false,
        // Code that comes later is asked for one file after the other. A browser remembers each file that did not come
        // (renderer/shell/fetch-code.ts): so with the agent gone that is, as a rule, the first one alone.
        resolveDependencies: (_file, dependencies, { hostType }) =>
          hostType === 'html' ? dependencies : dependencies.filter((name) => name.endsWith('.css')),
      },
    },
  }),
};

/** The customers' page has the cashier's HTML with another program in it, and is always light. */
const customerHtml: Plugin = {
  name: 'customer-html',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<html lang="en" dir="ltr">', '<html lang="en" dir="ltr" data-theme="light">')
        .replace('src="./main.tsx"', 'src="./customer/main.tsx"'),
  },
};

/** The customer's own screen: a page of its own, which the cashier's start loads nothing of. */
const customerPage: Bundle = {
  name: 'customer page',
  entry: 'renderer/index.html',
  output: 'renderer/customer/index.html',
  config: (outDir) => ({
    ...renderer.config(outDir),
    plugins: [customerHtml],
    build: { ...renderer.config(outDir).build, license: false, outDir: join(outDir, 'renderer', 'customer') },
  }),
};

/** Everything that dist/ is made of. */
export const bundles: readonly Bundle[] = [
  nodeBundle({
    name: 'app',
    entry: 'app/cli.ts',
    output: 'app/package.json',
    target: 'node24',
    packed: ['app/commands/agent.ts', 'app/agent/open-embedded-sandbox.ts'],
  }),
  nodeBundle({ name: 'begin', entry: 'app/begin.ts', output: 'app/cli.js', target: 'node24', oneFile: true }),
  // The page's scheme must be registered before Electron is ready.
  nodeBundle({ name: 'main', entry: 'main/index.ts', output: 'main/index.cjs', target: 'node20' }),
  nodeBundle({
    name: 'preload',
    entry: 'main/preload.ts',
    output: 'main/preload.cjs',
    target: 'node20',
    oneFile: true,
  }),
  renderer,
  customerPage,
];
