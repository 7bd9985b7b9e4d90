import { fstatSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';

/**
 * Whether nothing can come over stdin of this process: it is the null device, as for a command in the background or in a service. The end of such an
 * input says nothing about a host.
 */
export function isHostAbsent(): boolean {
  return process.stdin.isTTY !== true && fstatSync(process.stdin.fd).isCharacterDevice();
}

/** The side of a host that sends nothing and does not end, so that the page alone drives the agent. What the agent sends goes to stdout. */
export function absentHost(): Transport {
  return createStdioTransport({ input: new PassThrough(), output: process.stdout });
}
