// Runs one case by name, in a process that runs nothing else. Loads only the modules of that case.
import type { Case } from './case.ts';

const cases: Readonly<Record<string, () => Promise<{ readonly run: Case }>>> = {
  'frame-stream': () => import('./cases/frame-stream.ts'),
  'framer-rows': () => import('./cases/framer-rows.ts'),
  'queue-memory': () => import('./cases/queue-memory.ts'),
  'rpc-server': () => import('./cases/rpc-server.ts'),
  'socket-server': () => import('./cases/socket-server.ts'),
  'session-server': () => import('./cases/session-server.ts'),
  'cluster-node': () => import('./cases/cluster-node.ts'),
  replay: () => import('./cases/replay.ts'),
  'held-loop': () => import('./cases/held-loop.ts'),
  'sse-server': () => import('./cases/sse-server.ts'),
  'message-sender': () => import('./cases/message-sender.ts'),
  'stdout-writer': () => import('./cases/stdout-writer.ts'),
  'slow-reader': () => import('./cases/slow-reader.ts'),
  'back-pressure': () => import('./cases/back-pressure.ts'),
  'slow-viewer': () => import('./cases/slow-viewer.ts'),
  'event-source': () => import('./cases/event-source.ts'),
  'idle-session': () => import('./cases/idle-session.ts'),
  'idle-streams': () => import('./cases/idle-streams.ts'),
  'idle-clients': () => import('./cases/idle-clients.ts'),
  'idle-sockets': () => import('./cases/idle-sockets.ts'),
  'idle-socket-clients': () => import('./cases/idle-socket-clients.ts'),
  'stalled-viewer': () => import('./cases/stalled-viewer.ts'),
  'line-source': () => import('./cases/line-source.ts'),
  'view-load': () => import('./cases/view-load.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = cases[name];
if (load === undefined) throw new Error(`no case "${name}"`);
const { run } = await load();
const result = await run(args);
if (result !== undefined) console.log(JSON.stringify(result));
