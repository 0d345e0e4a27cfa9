/** How long the browser may take to begin: the address of a file that it reads must still lead to it. */
const keptMs = 60_000;

/** A file that grows part by part, and is given to the reader when it is whole. */
export interface TextFile {
  readonly write: (text: string) => void;
  /** Gives it to the reader to keep, as the browser (or the desktop app's window) keeps files. */
  readonly save: () => void;
}

/**
 * Begins a CSV file. A byte order mark goes in front: spreadsheets would take Arabic names for something else without
 * it. Each part is encoded as it comes: a large file at once would hold the page for a tenth of a second.
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

/** A file that is whole already. */
export function saveTextFile(page: Window & typeof globalThis, name: string, text: string): void {
  const file = newTextFile(page, name);
  file.write(text);
  file.save();
}
