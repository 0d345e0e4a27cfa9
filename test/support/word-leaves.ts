type Tree = { readonly [key: string]: unknown };

/** Every word of a tree by its path (`errors.offline.title`); functions are asked with plain arguments. */
export function wordLeaves(tree: Tree, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const here = `${path}${key}`;
    const word: unknown = typeof value === 'function' ? value(3, '3', '4471', '5') : value;
    if (typeof word === 'string') found.set(here, word);
    else if (typeof word === 'object' && word !== null) {
      for (const [inner, text] of wordLeaves({ ...word }, `${here}.`)) found.set(inner, text);
    }
  }
  return found;
}
