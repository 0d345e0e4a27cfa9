/** The currency of an amount that names none, and of a shop that has named none (spec "Limits"). */
export const defaultCurrency = 'KWD';
