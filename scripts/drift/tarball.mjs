// Reads files from the tarball of an npm package. Writes no file, and runs no code of the package.
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
// A package of types has a few megabytes. A larger package is not the expected package, and must not fill the memory.
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * The wanted files of a tarball, by their paths without the folder that npm puts around all files.
 * @param {Uint8Array} tarball compressed by gzip
 * @param {(path: string) => boolean} isWanted
 * @returns {Map<string, string>} the text of each file, by its path
 */
export function filesOfTarball(tarball, isWanted) {
  const bytes = gunzipSync(tarball, { maxOutputLength: MAX_BYTES });
  /** @type {Map<string, string>} */
  const files = new Map();
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8);
    if (!Number.isSafeInteger(size)) throw new Error('the file is not a tarball');
    const prefix = textAt(bytes, at + 345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${textAt(bytes, at, 100)}`.replace(/^[^/]+\//, '');
    const start = at + BLOCK;
    // Skips all entries that are not plain files: folders, and entries that contain the long name of the next file.
    const isFile = bytes[at + 156] === 0x30 || bytes[at + 156] === 0;
    if (isFile && isWanted(path)) files.set(path, bytes.toString('utf8', start, start + size));
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** @param {Buffer} bytes @param {number} start @param {number} length */
function textAt(bytes, start, length) {
  return bytes
    .toString('utf8', start, start + length)
    .replace(/\0.*$/s, '')
    .trim();
}
