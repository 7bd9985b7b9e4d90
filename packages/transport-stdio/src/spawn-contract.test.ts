import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type TransportPair, testTransport } from '@proto/testkit/vitest';
import { type SpawnedAgent, spawnAgentOn } from './spawn-agent.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { membersOf } from './process-list.test-support.ts';
import { thisSystem } from './system.ts';

const LIMITS = { maxLineBytes: 4 * 1024 * 1024, maxIncomingBytes: 64 * 1024 };
// Its two directions are two further pipes to this process, so that both ends can be looked at. It exits when both have ended.
const RELAY = 'cat <&3 4>&- & exec 3<&- >&-; cat >&4; exec 4>&-; wait';

interface SpawnPair extends TransportPair {
  readonly local: SpawnedAgent;
  readonly toLocal: Writable;
}

function open(): SpawnPair {
  const system = thisSystem();
  let far: [Writable, Readable] | undefined;
  const relaying = ((file: string, args: readonly string[], options: object) => {
    if (far !== undefined) return spawn(file, args, options);
    const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] });
    far = [child.stdio[3] as Writable, child.stdio[4] as Readable];
    return child;
  }) as typeof spawn;
  const local = spawnAgentOn(
    { ...system, spawn: relaying },
    { command: '/bin/sh', args: ['-c', RELAY], closeGraceMs: 200, ...LIMITS },
  );
  const [output, input] = far as unknown as [Writable, Readable];
  return { local, remote: createStdioTransport({ input, output, ...LIMITS }), toLocal: output };
}

testTransport<SpawnPair>({
  name: 'a child process',
  open,
  halfClose: true,
  backPressure: true,
  cut: ({ local }) => void process.kill(-(local.pid as number), 'SIGKILL'),
  inject: ({ toLocal }) => void toLocal.write(`${'x'.repeat(LIMITS.maxLineBytes + 1)}\n`),
  released: ({ local }) => membersOf(local.pid).length === 0,
});
