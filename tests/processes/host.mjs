// A host that starts an agent which hears neither the end of its input nor SIGTERM, says its pid, and stays. With a number of seconds the
// agent also starts others that sleep for so long, in sessions of their own, and with nothing left of the agent.
import { spawnAgent } from '@proto/transport-stdio';

const [, , end, seconds] = process.argv;
const STRAYS = `
  until grep -q 'file locks  *[0-9]' /proc/$$/limits; do sleep 0.01; done
  setsid sleep ${seconds} &
  (setsid env -i /bin/sh -c 'trap "" TERM; while :; do sleep ${seconds}; done' </dev/null >/dev/null 2>&1 &)`;
const STUBBORN = `trap '' TERM; sleep 1000 & ${seconds === undefined ? '' : STRAYS}
  while :; do sleep 1000; done`;
const agent = spawnAgent({ command: '/bin/sh', args: ['-c', STUBBORN] });
await agent.opened;
console.log(agent.pid);
if (end === 'exit') process.exit();
if (end === 'throw') throw new Error('a defect of the host');
await agent.closed;
