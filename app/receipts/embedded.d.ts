// A file of a package as bytes (tools/embedded-files.ts).
declare module '*?embedded' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
