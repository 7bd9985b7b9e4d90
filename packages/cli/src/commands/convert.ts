import { open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AgentBackend, createBackendRegistry, readEvents, toProtoMessages } from '@proto/adapters';
import { encodeLine } from '@proto/core/framing';

/** The flags of `sjp convert`. */
export interface ConvertOptions {
  readonly from: string;
  readonly exitCode?: number;
  readonly raw?: boolean;
}

/** Where it reads `-` and where it writes. */
export interface ConvertStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** `sjp convert`: another agent's output as messages of the protocol. Gives the exit code. */
export async function convert(
  file: string,
  { from, exitCode = 0, raw = false }: ConvertOptions,
  { stdin, stdout, stderr }: ConvertStreams = process,
): Promise<0 | 2> {
  const fail = (why: string) => {
    stderr.write(`sjp convert: ${why}\n`);
    return 2 as const;
  };
  const registry = createBackendRegistry();
  const backend = registry.get(from);
  if (backend === undefined) return fail(`no backend "${from}"; known are ${registry.names().join(', ')}`);
  try {
    // Opened here, because a stream that cannot be opened would look like output that broke off.
    const input = file === '-' ? stdin : (await open(file)).createReadStream();
    await pipeline(lines(backend, input, { exitCode, raw, stderr }), stdout, { end: false });
    return 0;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // Whoever reads the messages has seen enough.
    return code === 'EPIPE' ? 0 : fail(`cannot read ${file}: ${String(code ?? error)}`);
  }
}

async function* lines(
  backend: AgentBackend,
  input: Readable,
  { exitCode, raw, stderr }: { readonly exitCode: number; readonly raw: boolean; readonly stderr: Writable },
): AsyncGenerator<string> {
  const events = readEvents(
    backend,
    { prompt: '' },
    input,
    { exitCode, signal: null },
    {
      onMalformed: ({ lineNo, reason }) => void stderr.write(`sjp convert: line ${lineNo} left out: ${reason}\n`),
    },
  );
  for await (const message of toProtoMessages(events, { raw })) yield encodeLine(message);
}
