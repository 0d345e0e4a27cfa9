import { openingFragment } from '../../shared/till/session-words.ts';

/** Takes the token from the address, once. The token leaves the address bar at once. */
export function tokenOf({ location, history }: Window): () => string | null {
  let token = location.hash.startsWith(openingFragment)
    ? decodeURIComponent(location.hash.slice(openingFragment.length))
    : null;
  if (token !== null) history.replaceState(null, '', location.pathname);
  return () => {
    const once = token;
    token = null;
    return once;
  };
}
