/**
 * The folder with `cases.json` and `prompts`: the root of this package. A program that bundles the package into a file in a folder such as
 * `dist/chunks` must copy these files into `dist`.
 */
export const PACKAGE_FILES = new URL('../', import.meta.url);
