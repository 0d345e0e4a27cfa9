import { useEffect, useRef } from 'preact/hooks';
import { useModel } from '../model.ts';

/** Tells when the screen is shut, and when somebody else sells: what a manager has typed is not for who comes then. */
export function useOtherHands(forget: () => void): void {
  const till = useModel().frame.till.value;
  const hands = `${till?.sign_in} ${till?.cashier?.employee_ref}`;
  const before = useRef(hands);
  useEffect(() => {
    if (hands !== before.current) forget();
    before.current = hands;
  }, [hands]);
}
