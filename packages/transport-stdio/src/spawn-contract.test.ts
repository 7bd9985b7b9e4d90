import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type TransportPair, testTransport } from '@proto/testkit/vitest';
import { expect, vi } from 'vitest';
import { type SpawnedAgent, spawnAgentOn } from './spawn-agent.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { membersOf } from './process-list.test-support.ts';
import { thisSystem } from './system.ts';

const LIMITS = { maxLineBytes: 4 * 1024 * 1024, maxIncomingBytes: 64 * 1024 };
// Relays over two further pipes to this process, so that the test sees both ends. Exits when both directions have ended.
const RELAY = 'cat <&3 4>&- & exec 3<&- >&-; cat >&4; exec 4>&-; wait';

interface SpawnPair extends TransportPair {
  readonly local: SpawnedAgent;
  readonly toLocal: Socket;
  /** The stdout of the child. */
  readonly fromChild: Socket;
}

function open(): SpawnPair {
  const system = thisSystem();
  let far: readonly [toLocal: Socket, toRemote: Socket, fromChild: Socket] | undefined;
  const relaying = ((file: string, args: readonly string[], options: object) => {
    if (far !== undefined) return spawn(file, args, options);
    const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] });
    far = [child.stdio[3], child.stdio[4], child.stdout] as unknown as typeof far;
    return child;
  }) as typeof spawn;
  const local = spawnAgentOn(
    { ...system, spawn: relaying },
    { command: '/bin/sh', args: ['-c', RELAY], closeGraceMs: 800, ...LIMITS },
  );
  const [output, input, fromChild] = far as unknown as [Socket, Socket, Socket];
  return { local, remote: createStdioTransport({ input, output, ...LIMITS }), toLocal: output, fromChild };
}

testTransport<SpawnPair>({
  name: 'a child process',
  open,
  halfClose: true,
  backPressure: true,
  givesUpWithinMs: 10_000,
  async cut({ local, toLocal, fromChild }) {
    // Sent data must not be cut off within the relay, which is not part of the link.
    await vi.waitFor(() => expect(fromChild.bytesRead).toBe(toLocal.bytesWritten), 5000);
    process.kill(-(local.pid as number), 'SIGKILL');
  },
  inject: ({ toLocal }) => void toLocal.write(`${'x'.repeat(LIMITS.maxLineBytes + 1)}\n`),
  released: ({ local }) => membersOf(local.pid).length === 0,
});
