import { Readable, type Writable } from 'node:stream';
import { type AgentOptions, runAgent } from '@proto/agent';
import { encodeLine, type WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, flattenIncoming, type Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import type { HeadlessOptions } from './flags/options.ts';
import type { OpenMirror } from './mirror/open-mirror.ts';
import { createCollector, type FinalOutput } from './output/formats.ts';

/** The maximum length of an input line in bytes: 256 MiB, as in published agents. Hosts send whole files in one line. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

export interface Serving {
  readonly options: HeadlessOptions;
  readonly agent: AgentOptions;
  /** The prompt, as messages, if the input format is `text`. */
  readonly prompts: readonly WireMessage[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** The remote session that mirrors this session. */
  readonly mirrored?: OpenMirror | undefined;
  readonly onTransport: (transport: Transport) => void;
}

/** Fulfils with the text that still has to be written, and the exit code. */
export function serve(serving: Serving): Promise<FinalOutput> {
  return serving.options.outputFormat === 'stream-json' ? serveStream(serving) : serveCollected(serving);
}

/** In this format, each message is written as soon as it arrives. */
async function serveStream({
  options,
  agent,
  prompts,
  stdin,
  stdout,
  mirrored,
  onTransport,
}: Serving): Promise<FinalOutput> {
  const input = options.inputFormat === 'stream-json' ? stdin : linesOf(prompts);
  const local = createStdioTransport({ input, output: stdout, maxLineBytes: MAX_LINE_BYTES });
  const transport = mirrored?.join(local) ?? local;
  onTransport(transport);
  const { isError } = await runAgent(transport, mirrored?.withTokens(agent) ?? agent);
  return { stdout: '', stderr: '', code: isError ? 1 : 0 };
}

/** In the formats `text` and `json`, this process is the host, which sends the prompts and collects the messages. */
async function serveCollected({ options, agent, prompts, onTransport }: Serving): Promise<FinalOutput> {
  const { host, agent: inner } = createMemoryPair();
  const collected = collect(host, prompts, options);
  // If the agent fails, `runAgent` rejects with the agent's error, which is more informative than the error of the closed connection.
  collected.catch(() => {});
  onTransport(inner);
  await runAgent(inner, agent);
  return collected;
}

async function collect(
  host: Transport,
  prompts: readonly WireMessage[],
  options: HeadlessOptions,
): Promise<FinalOutput> {
  const collector = createCollector(options);
  if (prompts.length > 0) await host.send(encodeBatch(...prompts));
  await host.end();
  for await (const item of flattenIncoming(host.incoming)) {
    const { message } = item.kind === 'message' ? item.read() : {};
    if (message !== undefined) collector.take(message);
  }
  return collector.finish();
}

function linesOf(messages: readonly WireMessage[]): Readable {
  return Readable.from(messages.map((message) => encodeLine(message)));
}
