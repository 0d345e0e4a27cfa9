/** Types a key at the cursor, as a keyboard would. */
export function typeInto(field: HTMLInputElement, key: string): void {
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
