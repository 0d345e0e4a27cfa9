import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/bundles.ts';
import { shippedNodeFolder } from '../../tools/dist/shipped-node.ts';

/** What electron-builder finds the fuses of an Electron by: this mark, a version, their number, and one letter each. */
const fuses = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('1'.repeat(9)),
]);
const locales = ['ar', 'de', 'en-US', 'fr'];

/** The shape of an Electron for a system whose own cannot run here: nothing in it is a program. */
export function stubElectron(system: 'win32' | 'darwin'): string {
  const folder = mkdtempSync(join(tmpdir(), `stub-${system}-`));
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  if (system === 'win32') {
    // Its checksums are written into it, which takes a program of Windows: the agent's own Node is one.
    put(
      'electron.exe',
      Buffer.concat([unsigned(readFileSync(join(shippedNodeFolder('win32-x64'), 'node.exe'))), fuses]),
    );
    for (const locale of locales) put(`locales/${locale}.pak`, '');
    return folder;
  }
  put('Electron.app/Contents/MacOS/Electron', 'stub');
  put('Electron.app/Contents/Info.plist', plist('Electron'));
  const frameworks = 'Electron.app/Contents/Frameworks';
  put(`${frameworks}/Electron Framework.framework/Electron Framework`, Buffer.concat([Buffer.from('stub '), fuses]));
  for (const helper of [
    'Electron Helper',
    'Electron Helper (GPU)',
    'Electron Helper (Renderer)',
    'Electron Helper (Plugin)',
  ]) {
    put(`${frameworks}/${helper}.app/Contents/MacOS/${helper}`, 'stub');
    put(`${frameworks}/${helper}.app/Contents/Info.plist`, plist(helper));
  }
  for (const locale of locales.map((name) => (name === 'en-US' ? 'en' : name))) {
    put(`${frameworks}/Electron Framework.framework/Versions/A/Resources/${locale}.lproj/locale.pak`, '');
    put(`Electron.app/Contents/Resources/${locale}.lproj/locale.pak`, '');
  }
  return folder;
}

/** An icon of a Mac around a picture: electron-builder's own tool for that is a download. */
export function macIcon(folder: string): string {
  const picture = readFileSync(join(root, 'packaging', 'icons', '512x512.png'));
  const path = join(folder, 'icon.icns');
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32BE(picture.length + 16, 0);
  sizes.writeUInt32BE(picture.length + 8, 4);
  const [whole, part] = [sizes.subarray(0, 4), sizes.subarray(4)];
  writeFileSync(path, Buffer.concat([Buffer.from('icns'), whole, Buffer.from('ic09'), part, picture]));
  return path;
}

/** Takes the signature out of a program of Windows: its entry in the table of the header. */
function unsigned(program: Buffer): Buffer {
  const header = program.readUInt32LE(0x3c);
  program.fill(0, header + 24 + 112 + 32, header + 24 + 112 + 40);
  return program;
}

function plist(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${name}</string>
<key>CFBundleIdentifier</key><string>com.github.Electron</string>
</dict></plist>
`;
}
