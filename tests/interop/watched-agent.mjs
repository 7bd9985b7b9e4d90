// Runs the agent WATCHED_AGENT in this process, with connections to this machine only. Copies what the agent writes on stdout to a file in the
// folder WATCHED_OUTPUT, for the checks after the run.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './loopback-only.mjs';

const { WATCHED_AGENT = '', WATCHED_OUTPUT = '' } = process.env;
const file = join(WATCHED_OUTPUT, String(process.pid));
const write = Reflect.get(process.stdout, 'write');
process.stdout.write = function (chunk, ...rest) {
  appendFileSync(file, chunk);
  return write.call(this, chunk, ...rest);
};
process.argv[1] = WATCHED_AGENT;
await import(pathToFileURL(WATCHED_AGENT).href);
