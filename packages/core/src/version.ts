/** The version of every package of this repository, as reported to peers. `npm run release -- --version` writes this file. */
export const VERSION = '0.2.0';
