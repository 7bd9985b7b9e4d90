// Starts the chat, and prints a link for a browser. Press Enter for another link: node serve.mjs [--port N] [--folder FOLDER] [-- AGENT…]
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startChat } from './server.mjs';

const reference = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const options = { port: { type: 'string', default: '0' }, folder: { type: 'string', default: '.chat' } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
mkdirSync(values.folder, { recursive: true, mode: 0o700 });
const agent = positionals.length > 0 ? positionals : [reference];
const chat = await startChat({ ...values, agent, cwd: process.cwd(), onStderr: console.error });
const showLink = () => console.log(`Open ${chat.newLink()}`);
showLink();
process.stdin.on('data', showLink);
const close = () => void chat.close().then(() => process.exit());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close);
