/**
 * Types a key at the cursor, as a keyboard would. The field gets the focus: some Chromium versions put the cursor of a field
 * without it back to the start, and the next key would come before this one.
 */
export function typeInto(field: HTMLInputElement, key: string): void {
  field.focus({ preventScroll: true });
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  if (key === 'erase') {
    if (end === 0) return;
    field.setRangeText('', start === end ? start - 1 : start, end, 'end');
  } else {
    field.setRangeText(key, start, end, 'end');
  }
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
