/** The button that prints a receipt, and what became of it. */
export const words = {
  print: 'Print receipt',
  printing: 'Printing',
  printed: 'Receipt printed',
  notPrinted: 'The printer does not answer. Check its cable and paper.',
  unknown: 'The receipt may have printed. Look before you print again.',
  failed: 'The receipt was not printed. Try again.',
};
