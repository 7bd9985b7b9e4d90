// An agent that never ends by itself: it ignores the end of its input, SIGTERM and a broken output, and writes its process id repeatedly.
import { randomUUID } from 'node:crypto';

process.on('SIGTERM', () => {});
process.stdin.on('error', () => {}).resume();
process.stdout.on('error', () => {});
setInterval(() => {
  const message = { role: 'assistant', content: [{ type: 'text', text: `agent ${process.pid}` }] };
  const said = { type: 'assistant', message, parent_tool_use_id: null, session_id: 's', uuid: randomUUID() };
  process.stdout.write(`${JSON.stringify(said)}\n`);
}, 20);
