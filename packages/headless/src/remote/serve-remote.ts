import type { Readable, Writable } from 'node:stream';
import { type AgentOptions, runAgent } from '@proto/agent';
import { coalesceStreamEvents } from '@proto/core';
import { encodeLine, parseLine, type WireMessage } from '@proto/core/framing';
import { decodeLines } from '@proto/core/framing';
import { type Batch, type Incoming, incomingLines, type Transport } from '@proto/core/transport';
import { isOn, type Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';
import type { FinalOutput } from '../output/formats.ts';
import { type AccessTokens, withTokens } from './access-tokens.ts';
import { joinInput } from './join-input.ts';

export interface RemoteServing {
  readonly options: HeadlessOptions;
  readonly env: Variables;
  readonly agent: AgentOptions;
  readonly remote: Transport;
  readonly tokens: Pick<AccessTokens, 'refresh'>;
  /** The prompt, as messages, if the input format is `text`. */
  readonly prompts: readonly WireMessage[];
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** The session ends when its host ends it or the connection is permanently lost. */
export async function serveRemote(serving: RemoteServing): Promise<FinalOutput> {
  const { options, agent, remote, tokens } = serving;
  const { transport, endInput } = joinInput(remote, { lines: ownLines(serving), onSend: echo(serving) });
  const { isError } = await runAgent(transport, {
    ...withTokens(agent, tokens),
    // The clients of the session answer permission requests.
    permissions: { ...agent.permissions, prompts: options.permissionPrompts === 'none' ? 'none' : 'host' },
    output: { ...agent.output, stage: coalesceStreamEvents() },
    handlers: {
      // The input does not end, so the session ends after the answer has been sent.
      end_session: () => queueMicrotask(endInput),
      ...agent.handlers,
    },
  });
  return { stdout: '', stderr: '', code: isError ? 1 : 0 };
}

/** Returns the input from the parent process: its prompt or its lines. */
async function* ownLines({ options, prompts, stdin }: RemoteServing): AsyncGenerator<readonly Incoming[]> {
  if (options.inputFormat === 'text') yield incomingLines(prompts.map((prompt) => encodeLine(prompt).trimEnd()));
  else for await (const line of decodeLines(stdin)) yield incomingLines([line]);
}

/** If the parent process has set `SJP_BRIDGE`, writes control requests to stdout or, with `--debug`, all messages. Otherwise, stdout stays empty. */
function echo({ options, env, stdout }: RemoteServing): ((batch: Batch) => void) | undefined {
  if (!isOn(env['SJP_BRIDGE'])) return undefined;
  const { debug = false } = options;
  return (batch) => {
    if (debug !== false) stdout.write(batch.text);
    else for (const { text } of batch.messages()) if (isControlRequest(text)) stdout.write(`${text}\n`);
  };
}

function isControlRequest(text: string): boolean {
  return parseLine(text).message?.type === 'control_request';
}
