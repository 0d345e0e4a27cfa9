import { existsSync } from 'node:fs';

/** What a Chromium needs to run as root, without a network and without a screen. */
const chromiumArgs = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  // Letters without coloured edges: pictures are the same on every machine's screen, and smaller.
  '--disable-lcd-text',
];

const chromiumPath = process.env.CHROMIUM_PATH ?? '';

/** Whether there is a browser for the tests of the screen; `npm test` sets CHROMIUM_PATH, or says that they do not run. */
export const hasChromium = chromiumPath !== '' && existsSync(chromiumPath);

/** How it is started. */
export const chromiumOptions = { executablePath: chromiumPath, args: chromiumArgs };
