import { Readable } from 'node:stream';
import { encodeLine, type WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, flattenIncoming, type Transport } from '@proto/core/transport';
import { createCollector, type FinalOutput, type HeadlessOptions, promptMessages, readPrompt } from '@proto/headless';
import { createStdioTransport } from '@proto/transport-stdio';
import type { ShimOptions } from './shim-options.ts';

/** The host of a shim, in the formats that the host requested. */
export interface HostSide {
  readonly transport: Transport;
  /** Returns the output to write at the end, if the output format waits for the end. */
  finish(): Promise<FinalOutput>;
}

// The longest line that published agents read. The server has different limits.
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const NOTHING: FinalOutput = { stdout: '', stderr: '', code: 0 };

/**
 * Reads the prompt if it is plain text, and opens the transport to the host: over stdin and stdout, or in memory if the output is collected and
 * written at the end. Rejects if the prompt is missing.
 */
export async function openHostSide(
  shim: Pick<ShimOptions, 'options' | 'stdin' | 'stdout' | 'onStderr'>,
): Promise<HostSide> {
  const { options, stdin, stdout } = shim;
  const isText = options.inputFormat === 'text';
  const text = isText ? await readPrompt(options, stdin, (warning) => shim.onStderr(`${warning}\n`)) : '';
  const prompts = promptMessages(text);
  if (options.outputFormat !== 'stream-json') return collectingSide(options, prompts);
  const input = isText ? Readable.from(prompts.map((message) => encodeLine(message))) : stdin;
  const transport = createStdioTransport({ input, output: stdout, maxLineBytes: MAX_LINE_BYTES });
  return { transport, finish: async () => NOTHING };
}

function collectingSide(options: HeadlessOptions, prompts: readonly WireMessage[]): HostSide {
  const { host, agent: transport } = createMemoryPair();
  const collector = createCollector(options);
  const collect = async () => {
    if (prompts.length > 0) await host.send(encodeBatch(...prompts));
    await host.end();
    for await (const item of flattenIncoming(host.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      if (message !== undefined) collector.take(message);
    }
  };
  const collected = collect();
  // `finish` rejects with this error.
  collected.catch(() => {});
  return {
    transport,
    async finish() {
      await collected;
      return collector.finish();
    },
  };
}
