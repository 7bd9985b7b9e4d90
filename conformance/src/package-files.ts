/**
 * The folder with `cases.json` and `prompts`: the root of this package. A program that bundles the package into a file of a folder such as `dist/chunks` puts
 * them into `dist`.
 */
export const PACKAGE_FILES = new URL('../', import.meta.url);
