// What the bundler turns an import of a file that is not code into.
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
  /** Every module whose path fits, by its path; the bundler writes the imports. */
  glob<Export>(
    pattern: string,
    options: { readonly eager: true; readonly import: string },
  ): Readonly<Record<string, Export>>;
}
