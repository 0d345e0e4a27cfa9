/** What a receipt printer would do with its bytes. */
interface PrintedPaper {
  readonly begins: 'initialized' | 'as it was left';
  readonly lines: readonly string[];
  readonly pictures: readonly { readonly width: number; readonly height: number; readonly blackDots: number }[];
  readonly isCut: boolean;
}

/** How many bytes follow a command of two; a picture's are counted apart. */
const operands: Readonly<Record<string, number>> = {
  '1b40': 0,
  '1b45': 1,
  '1b61': 1,
  '1b74': 1,
  '1b21': 1,
  '1b4d': 1,
  '1b64': 1,
  '1b33': 1,
  '1b32': 0,
  '1d21': 1,
  '1d56': 1,
  '1d72': 1,
  '1c2e': 0,
};

/** Reads ESC/POS. @throws at a command that it does not know */
export function readEscpos(bytes: Uint8Array): PrintedPaper {
  const lines: string[] = [];
  const pictures: { width: number; height: number; blackDots: number }[] = [];
  let line = '';
  let isCut = false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x1b || byte === 0x1c || byte === 0x1d) {
      const name = Buffer.from(bytes.subarray(at, at + 2)).toString('hex');
      if (name === '1d76') {
        const [, , , , widthBytes = 0, high = 0, low = 0, rest = 0] = bytes.subarray(at, at + 8);
        const bytesWide = widthBytes + high * 256;
        const height = low + rest * 256;
        const dots = bytes.subarray(at + 8, at + 8 + bytesWide * height);
        const blackDots = dots.reduce((sum, part) => sum + part.toString(2).replaceAll('0', '').length, 0);
        pictures.push({ width: bytesWide * 8, height, blackDots });
        at += 8 + bytesWide * height;
        continue;
      }
      const more = operands[name];
      if (more === undefined) throw new Error(`Unknown command ${name} at ${at}`);
      if (name === '1d56') isCut = true;
      at += 2 + more;
    } else if (byte === 0x0a) {
      lines.push(line.trimEnd());
      line = '';
      at += 1;
    } else {
      if (byte !== 0x0d) line += String.fromCharCode(byte);
      at += 1;
    }
  }
  const begins = bytes[0] === 0x1b && bytes[1] === 0x40 ? 'initialized' : 'as it was left';
  return { begins, lines, pictures, isCut };
}
