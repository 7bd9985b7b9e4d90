import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The folder of the specification, in which Quint runs. */
export const FOLDER = fileURLToPath(new URL('../../spec', import.meta.url));
const QUINT = createRequire(import.meta.url).resolve('@informalsystems/quint/dist/src/cli.js');

/** Runs Quint. @param {readonly string[]} args @returns {Promise<{ code: number | null, text: string }>} */
export function quint(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [QUINT, ...args], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ piece) => void (text += piece));
    child.on('error', reject).on('close', (code) => resolve({ code, text }));
  });
}
