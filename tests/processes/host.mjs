// A host that starts an agent which hears neither the end of its input nor SIGTERM, says its pid, and stays.
import { spawnAgent } from '@proto/transport-stdio';

const STUBBORN = `trap '' TERM; sleep 1000 & while :; do sleep 1000; done`;
const agent = spawnAgent({ command: '/bin/sh', args: ['-c', STUBBORN] });
await agent.opened;
console.log(agent.pid);
const [, , end] = process.argv;
if (end === 'exit') process.exit();
if (end === 'throw') throw new Error('a defect of the host');
await agent.closed;
