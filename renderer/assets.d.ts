// The types of imported files that are not code. The bundler replaces each import.
declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module '*.svg?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** All modules whose path matches, by path. The bundler writes the imports. */
  glob<Export>(
    pattern: string,
    options: { readonly eager: true; readonly import: string },
  ): Readonly<Record<string, Export>>;
}
