import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOLDER } from '../bins.test-support.ts';

// Reports its arguments and prompt on stderr, prints a recording after the end of its input, and then exits or stays.
const TEXT = `
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const [file, leave, ...args] = process.argv.slice(2);
const prompt = await text(process.stdin);
console.error(JSON.stringify({ args, prompt }));
process.stdout.write(readFileSync(file));
if (leave === 'stay') setInterval(() => {}, 1000);
else process.exitCode = Number(leave);
`;

/** The agent prints a recording, and then exits with a code or keeps running. */
export function foreignAgent(recording: string, leave: number | 'stay' = 0): string[] {
  const path = join(FOLDER, 'foreign-agent.mjs');
  writeFileSync(path, TEXT);
  const file = fileURLToPath(new URL(`../../../adapters/testdata/${recording}`, import.meta.url));
  return [process.execPath, path, file, String(leave)];
}
