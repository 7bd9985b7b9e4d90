import { spawn } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type TransportPair, testTransport } from '@proto/testkit/vitest';
import { createStdioTransport } from './stdio-transport.ts';

const LIMITS = { maxLineBytes: 4 * 1024 * 1024, maxIncomingBytes: 64 * 1024 };

/** A pair of transports, and the streams between them. */
interface StdioPair extends TransportPair {
  /** The end of the wire that `local` reads. */
  readonly toLocal: Writable;
  readonly localStreams: readonly [Readable, Writable];
}

function pairOf(toLocal: [Writable, Readable], toRemote: [Writable, Readable]): StdioPair {
  const local = createStdioTransport({ input: toLocal[1], output: toRemote[0], ...LIMITS });
  const remote = createStdioTransport({ input: toRemote[1], output: toLocal[0], ...LIMITS });
  return { local, remote, toLocal: toLocal[0], localStreams: [toLocal[1], toRemote[0]] };
}

const injectLongLine = ({ toLocal }: StdioPair) => void toLocal.write(`${'x'.repeat(LIMITS.maxLineBytes + 1)}\n`);
const released = ({ localStreams: [input, output] }: StdioPair) =>
  input.destroyed && (output.writableFinished || output.destroyed);

testTransport<StdioPair>({
  name: 'stdio',
  open() {
    const [toLocal, toRemote] = [new PassThrough(), new PassThrough()];
    return pairOf([toLocal, toLocal], [toRemote, toRemote]);
  },
  halfClose: true,
  backPressure: true,
  cut: ({ toLocal }) => void toLocal.destroy(new Error('cut')),
  inject: injectLongLine,
  released,
});

testTransport<StdioPair>({
  name: 'stdio over pipes of the system',
  open() {
    // A process that copies its input to its output acts as a pipe whose two ends are in this process.
    const [left, right] = [spawn('cat'), spawn('cat')];
    const dispose = () => {
      left.kill();
      right.kill();
    };
    return { ...pairOf([left.stdin, left.stdout], [right.stdin, right.stdout]), dispose };
  },
  halfClose: true,
  backPressure: true,
  inject: injectLongLine,
  released,
});
