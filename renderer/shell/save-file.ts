/** How long the file's address stays valid, because the browser may begin to read it late. */
const keptMs = 60_000;

/** A text file that is written part by part, and saved when it is complete. */
export interface TextFile {
  readonly write: (text: string) => void;
  /** Saves the file, as the browser or the desktop app's window saves files. */
  readonly save: () => void;
}

/**
 * Begins a CSV file. It starts with a byte order mark, without which spreadsheets misread Arabic names. Each part is
 * encoded at once, because to encode a large file in one go would stop the page for 100 ms.
 */
export function newTextFile(page: Window & typeof globalThis, name: string): TextFile {
  const parts: Blob[] = [new Blob(['\ufeff'])];
  return {
    write: (text) => void parts.push(new Blob([text])),
    save() {
      const { document, URL } = page;
      const address = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }));
      const link = document.createElement('a');
      link.href = address;
      link.download = name;
      document.body.append(link);
      link.click();
      link.remove();
      page.setTimeout(() => URL.revokeObjectURL(address), keptMs);
    },
  };
}

/** Saves a file whose text is complete. */
export function saveTextFile(page: Window & typeof globalThis, name: string, text: string): void {
  const file = newTextFile(page, name);
  file.write(text);
  file.save();
}
