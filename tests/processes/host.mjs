// A host that starts an agent which ignores the end of its input and SIGTERM. The host prints the pid of the agent, and then keeps running or ends,
// as its argument says. With a number of seconds, the agent also starts processes that sleep for this time, in separate sessions and detached from
// the agent; if the end is `early`, it starts them at once.
import { readFileSync } from 'node:fs';
import { spawnAgent } from '@proto/transport-stdio';

const [, , end, seconds] = process.argv;
const STRAYS = `
  until grep -q 'file locks  *[0-9]' /proc/$$/limits; do sleep 0.01; done
  setsid sleep ${seconds} &
  (setsid env -i /bin/sh -c 'trap "" TERM; while :; do sleep ${seconds}; done' </dev/null >/dev/null 2>&1 &)`;
// Starts before the agent is marked, with the agent as its parent.
const EARLY = `setsid sleep ${seconds} &`;
const STUBBORN = `trap '' TERM; sleep 1000 & ${seconds === undefined ? '' : end === 'early' ? EARLY : STRAYS}
  echo '{"type":"up"}'
  while :; do sleep 1000; done`;
const agent = spawnAgent({ command: '/bin/sh', args: ['-c', STUBBORN] });
await agent.incoming[Symbol.asyncIterator]().next();
console.log(agent.pid);

/** Kills the watcher that would end the agent after this process, so that nothing else ends the agent. */
function endWatch() {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  for (const pid of children.map(Number)) if (pid !== agent.pid) process.kill(pid, 'SIGKILL');
}

if (end.startsWith('abort')) {
  endWatch();
  // More agents than the number of listeners that an event may have before Node warns.
  for (let n = 0; n < 20; n++) spawnAgent({ command: '/bin/sh', args: ['-c', `sleep 1000`] }).abort();
  agent.abort();
}
if (end === 'abort and wait') console.log((await agent.closed).process.signal);
if (end.endsWith('exit')) process.exit();
if (end.endsWith('throw')) throw new Error('a defect of the host');
if (!end.startsWith('abort')) await agent.closed;
