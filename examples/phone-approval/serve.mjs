// Serves the page on 127.0.0.1, and starts a session with each line that is typed:
//   node serve.mjs [--port N] [--public-url https://NAME] [--cwd FOLDER] [-- AGENT…]
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startApprovals } from './server.mjs';

const reference = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, 'public-url': { type: 'string' }, cwd: { type: 'string' } },
});
const publicUrl = values['public-url'] && new URL(values['public-url']).origin;

const app = await startApprovals({
  agent: positionals.length > 0 ? positionals : [reference],
  cwd: values.cwd ?? process.cwd(),
  port: Number(values.port ?? 0),
  publicUrl,
  allowedHosts: publicUrl && [new URL(publicUrl).hostname],
  onStderr: (text) => void process.stderr.write(text),
});
console.log(`Open on the phone, once: ${app.newLink()}`);
console.log('Type a prompt, such as: /bash date');

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const text = line.trim();
  if (text === 'link') console.log(`Open on the phone, once: ${app.newLink()}`);
  else if (text !== '') app.prompt(text).then((id) => console.log(`started ${id}`), console.error);
});
let closing;
function close() {
  closing ??= app.close();
  lines.close();
}
lines.on('close', close);
process.on('SIGINT', close).on('SIGTERM', close);
