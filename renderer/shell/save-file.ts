/** How long the browser may take to begin: the address of a file that it reads must still lead to it. */
const keptMs = 60_000;

/**
 * Gives the reader a file to keep, as the browser (or the desktop app's window) keeps files. A byte order mark goes in
 * front: spreadsheets would take Arabic names for something else without it.
 *
 * @param parts text, in its order
 */
export function saveTextFile(page: Window, name: string, parts: readonly string[]): void {
  const { document, URL } = page as Window & typeof globalThis;
  const address = URL.createObjectURL(new Blob(['\ufeff', ...parts], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  page.setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
