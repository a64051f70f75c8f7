// What verify.js needs of Node when it is run there; browsers have neither.
declare module "node:fs" {
  export function openAsBlob(path: string): Promise<Blob>;
}
declare var process: { argv: string[]; exitCode?: number } | undefined;
