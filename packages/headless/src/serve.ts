import { Readable, type Writable } from 'node:stream';
import { type AgentOptions, runAgent } from '@proto/agent';
import { encodeLine, type WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, flattenIncoming, type Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import type { HeadlessOptions } from './flags/options.ts';
import type { OpenMirror } from './mirror/open-mirror.ts';
import { createCollector, type FinalOutput } from './output/formats.ts';

/** The longest line of the input, in bytes: what the real agent takes. Hosts send whole files in one line. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** The ways in and out of a session. */
export interface Serving {
  readonly options: HeadlessOptions;
  readonly agent: AgentOptions;
  /** Of the input format `text`. */
  readonly prompts: readonly WireMessage[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** A second host. */
  readonly mirrored?: OpenMirror | undefined;
  /** Is given the transport of the session, ahead of it. */
  readonly onTransport: (transport: Transport) => void;
}

/** Runs the session in the output format asked for; gives what is left to write, and the code. */
export function serve(serving: Serving): Promise<FinalOutput> {
  return serving.options.outputFormat === 'stream-json' ? serveStream(serving) : serveCollected(serving);
}

/** Every message is written as it is produced. */
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

/** The agent's host is this process, which asks its prompts and keeps what is said. */
async function serveCollected({ options, agent, prompts, onTransport }: Serving): Promise<FinalOutput> {
  const { host, agent: inner } = createMemoryPair();
  const collected = collect(host, prompts, options);
  // What the agent threw is told, not that its side of the link is gone.
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
