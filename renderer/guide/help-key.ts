/**
 * Opens the help for F1. It is part of the first load: a browser opens a page of its own for each F1 that is left to it,
 * so none is, nor one over a dialog.
 */
export function openHelpByKey(page: Window, open: () => void): void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'F1' || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (page.document.querySelector('dialog') === null) open();
  };
  page.addEventListener('keydown', onKeyDown, { capture: true });
}
