import type { Readable, Writable } from 'node:stream';
import { type AgentOptions, runAgent } from '@proto/agent';
import { coalesceStreamEvents } from '@proto/core';
import { encodeLine, type WireMessage } from '@proto/core/framing';
import { decodeLines } from '@proto/core/framing';
import { type Batch, type Incoming, incomingLines, type Transport } from '@proto/core/transport';
import { isOn, type Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';
import type { FinalOutput } from '../output/formats.ts';
import { type AccessTokens, withTokens } from './access-tokens.ts';
import { joinInput } from './join-input.ts';

/** The ways in and out of a remote session. */
export interface RemoteServing {
  readonly options: HeadlessOptions;
  readonly env: Variables;
  readonly agent: AgentOptions;
  readonly remote: Transport;
  readonly tokens: Pick<AccessTokens, 'refresh'>;
  /** Of the input format `text`. */
  readonly prompts: readonly WireMessage[];
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Runs a session whose host is elsewhere, until that ends it or the link is gone for good. */
export async function serveRemote(serving: RemoteServing): Promise<FinalOutput> {
  const { options, agent, remote, tokens } = serving;
  const { transport, endInput } = joinInput(remote, { lines: ownLines(serving), onSend: echo(serving) });
  const { isError } = await runAgent(transport, {
    ...withTokens(agent, tokens),
    // Whoever follows the session is who can be asked.
    permissionPrompts: options.permissionPrompts === 'none' ? 'none' : 'host',
    outboundStage: coalesceStreamEvents(),
    handlers: {
      // No end of the input says so. Behind the answer.
      end_session: () => queueMicrotask(endInput),
      ...agent.handlers,
    },
  });
  return { stdout: '', stderr: '', code: isError ? 1 : 0 };
}

/** What the parent of this process says: its prompt, or line after line. */
async function* ownLines({ options, prompts, stdin }: RemoteServing): AsyncGenerator<readonly Incoming[]> {
  if (options.inputFormat === 'text') yield incomingLines(prompts.map((prompt) => encodeLine(prompt).trimEnd()));
  else for await (const line of decodeLines(stdin)) yield incomingLines([line]);
}

/** For a parent that watches what its agent asks, or with `--debug` all that it says. Elsewhere stdout stays empty. */
function echo({ options, env, stdout }: RemoteServing): ((batch: Batch) => void) | undefined {
  if (!isOn(env['SJP_BRIDGE'])) return undefined;
  const { debug = false } = options;
  return (batch) => {
    if (debug !== false) stdout.write(batch.text);
    else for (const { text } of batch.messages()) if (isControlRequest(text)) stdout.write(`${text}\n`);
  };
}

function isControlRequest(text: string): boolean {
  return (JSON.parse(text) as WireMessage).type === 'control_request';
}
