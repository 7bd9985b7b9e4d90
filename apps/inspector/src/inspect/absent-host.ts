import { fstatSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Transport } from '@proto/core/transport';
import type { RunProcess } from '@proto/terminal';
import { createStdioTransport } from '@proto/transport-stdio';

/**
 * Whether nothing can come over stdin: it is the null device, as for a command in the background or in a service. The end of such an input
 * says nothing about a host.
 */
export function isHostAbsent({ stdin }: RunProcess): boolean {
  return stdin === process.stdin && stdin.isTTY !== true && fstatSync(process.stdin.fd).isCharacterDevice();
}

/** The side of a host that sends nothing and does not end, so that the page alone drives the agent. What the agent sends goes to stdout. */
export function absentHost({ stdout }: RunProcess): Transport {
  return createStdioTransport({ input: new PassThrough(), output: stdout });
}
