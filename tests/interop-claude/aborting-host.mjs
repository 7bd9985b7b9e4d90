// A host whose agent runs commands: node aborting-host.mjs AGENT FOLDER. When its input ends, the host aborts the agent and exits immediately.
import { once } from 'node:events';
import { query } from '@proto/host';
import { spawnAgent } from '@proto/transport-stdio';

const [, , command, cwd] = process.argv;
const session = query({
  prompt: 'Run them',
  canUseTool: () => ({ behavior: 'allow' }),
  transport: (launch) => spawnAgent({ command, args: launch.args, cwd, env: { ...process.env, ...launch.env } }),
});
const messages = session[Symbol.asyncIterator]();
void messages.next();
await once(process.stdin.resume(), 'end');
session.abort();
process.exit();
