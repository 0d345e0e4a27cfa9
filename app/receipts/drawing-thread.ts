import { Worker } from 'node:worker_threads';
import arabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2?embedded';
import latin from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-latin-600-normal.woff2?embedded';
import resvg from '@resvg/resvg-wasm/index.js?embedded';
import program from '@resvg/resvg-wasm/index_bg.wasm?embedded';
import { z } from 'zod';

/** The name of the only font in a drawing. */
export const letterFamily = 'IBM Plex Sans Arabic';

/** The result of a drawing. `pixels` has red, green, blue and alpha of each pixel. */
const drawnSchema = z.object({ height: z.int().positive(), pixels: z.instanceof(Uint8Array) });
type Drawn = z.output<typeof drawnSchema>;

/** The thread's program, after the package's code. It is text, because the bundle has no file for a thread. */
const begin = `
const { parentPort, workerData } = require('node:worker_threads');
const { fontBuffers, defaultFontFamily, program } = workerData;
const ready = module.exports.initWasm(program);
parentPort.on('message', async (svg) => {
  await ready;
  const drawn = new module.exports.Resvg(svg, { font: { fontBuffers, defaultFontFamily } }).render();
  const { height, pixels } = drawn;
  drawn.free();
  parentPort.postMessage({ height, pixels });
});
`;

let thread: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Draws one SVG after another on its own thread, because each takes 300 ms and sales are saved meanwhile. */
export function drawn(svg: string): Promise<Drawn> {
  const drawing = last.then(() => drawnBy(openThread(), svg));
  last = drawing.catch(() => undefined);
  return drawing;
}

function openThread(): Worker {
  if (thread !== null) return thread;
  const packageText = Buffer.from(resvg).toString();
  const source = `const made = { exports: {} };\n(function (module, exports) {${packageText}\n${begin}})(made, made.exports);`;
  const workerData = { program, fontBuffers: [arabic, latin], defaultFontFamily: letterFamily };
  const opened = new Worker(source, { eval: true, workerData, env: {} });
  opened.once('exit', () => {
    if (thread === opened) thread = null;
  });
  thread = opened;
  return opened;
}

function drawnBy(worker: Worker, svg: string): Promise<Drawn> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      worker.off('message', take).off('error', fail).off('exit', gone);
      // An idle thread must not keep the program from ending.
      worker.unref();
    };
    const take = (answer: unknown): void => {
      end();
      resolve(drawnSchema.parse(answer));
    };
    const fail = (error: unknown): void => {
      end();
      reject(error);
    };
    const gone = (): void => fail(new Error('The thread that draws receipts has ended'));
    worker.on('message', take).on('error', fail).on('exit', gone);
    worker.ref();
    worker.postMessage(svg);
  });
}
