// Runs the transport contract on the two ends of a Unix socket.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testTransport } from '@proto/testkit/vitest';
import { createUnixSocketTransport } from './unix-socket-transport.mjs';

const LIMITS = { maxLineBytes: 4 * 1024 * 1024, maxIncomingBytes: 64 * 1024 };

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'unix-socket-'));
  const path = join(folder, 's');
  const server = createServer({ allowHalfOpen: true }).listen(path);
  await once(server, 'listening');
  const near = connect({ path, allowHalfOpen: true });
  const [far] = await once(server, 'connection');
  return {
    local: createUnixSocketTransport(near, LIMITS),
    remote: createUnixSocketTransport(far, LIMITS),
    near,
    far,
    dispose() {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

testTransport({
  name: 'a Unix socket',
  open,
  halfClose: true,
  backPressure: true,
  cut: ({ near }) => near.destroy(new Error('cut')),
  inject: ({ far }) => far.write(`${'x'.repeat(LIMITS.maxLineBytes + 1)}\n`),
  // A socket that has no address to connect to yet.
  connecting: () => createUnixSocketTransport(new Socket(), LIMITS),
  released: ({ near }) => near.destroyed,
});
