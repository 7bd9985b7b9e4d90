import { Readable } from 'node:stream';
import { encodeLine, type WireMessage } from '@proto/core';
import { batchOf, createMemoryPair, each, type Transport } from '@proto/core/transport';
import { createCollector, type FinalOutput, type HeadlessOptions, promptMessages, readPrompt } from '@proto/headless';
import { createStdioTransport } from '@proto/transport-stdio';
import type { ShimProcess } from './shim-process.ts';

/** Where the host of a shim is, in the formats that it asked for. */
export interface HostEnd {
  /** What the host says, and what says it something. */
  readonly transport: Transport;
  /** What is written at the end, where the format is one that waits for it. */
  finish(): Promise<FinalOutput>;
}

// What published agents take as one line. The server has its own bounds.
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const NOTHING: FinalOutput = { stdout: '', stderr: '', code: 0 };

/**
 * Reads the prompt, where that is a text, and makes the end of the host: stdin and stdout, or a host of our own that collects what is
 * written at the end. Rejects where there is no prompt.
 */
export async function openHostEnd(options: HeadlessOptions, here: ShimProcess): Promise<HostEnd> {
  const { stdin, stdout, stderr } = here;
  const isText = options.inputFormat === 'text';
  const text = isText ? await readPrompt(options, stdin, (warning) => void stderr.write(`${warning}\n`)) : '';
  const prompts = promptMessages(text);
  if (options.outputFormat !== 'stream-json') return collectingEnd(options, prompts);
  const input = isText ? Readable.from(prompts.map((message) => encodeLine(message))) : stdin;
  const transport = createStdioTransport({ input, output: stdout, maxLineBytes: MAX_LINE_BYTES });
  return { transport, finish: async () => NOTHING };
}

function collectingEnd(options: HeadlessOptions, prompts: readonly WireMessage[]): HostEnd {
  const { host, agent: transport } = createMemoryPair();
  const collector = createCollector(options);
  const collect = async () => {
    if (prompts.length > 0) await host.send(batchOf(...prompts));
    await host.end();
    for await (const item of each(host.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      if (message !== undefined) collector.take(message);
    }
  };
  const collected = collect();
  // Whoever finishes hears of it.
  collected.catch(() => {});
  return {
    transport,
    async finish() {
      await collected;
      return collector.finish();
    },
  };
}
