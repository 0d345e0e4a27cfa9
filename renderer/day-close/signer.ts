import { foldDigits } from '../../shared/lib/digits.ts';
import type { TillState } from '../../shared/till/views.ts';

/** A placeholder. The agent replaces it by the manager's own name. */
const managerSigns = 'manager';

/** Whose name a closing gets: the signed-in cashier's, that of the PIN's manager, or a typed one. */
export type Signer =
  | { readonly as: 'cashier'; readonly name: string }
  | { readonly as: 'manager' }
  | { readonly as: 'typed' };

/** Who signs a closing now. The agent decides it by the same rules. */
export function signerOf(till: TillState | null): Signer {
  const name = till?.cashier?.name ?? null;
  if (name !== null) return { as: 'cashier', name };
  return { as: till?.has_managers === true ? 'manager' : 'typed' };
}

/** The name on a closing, with the PIN where a manager signs; null when what the signer has to type is missing. */
export function signatureOf(
  signer: Signer,
  { by, pin }: { readonly by: string; readonly pin: string },
): { readonly closed_by: string; readonly pin?: string } | null {
  switch (signer.as) {
    case 'cashier':
      return { closed_by: signer.name };
    case 'manager':
      return pin.trim() === '' ? null : { closed_by: managerSigns, pin: foldDigits(pin) };
    case 'typed':
      return by.trim() === '' ? null : { closed_by: by.trim() };
  }
}
