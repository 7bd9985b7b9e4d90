import type { AgentOptions } from '@proto/agent';
import type { Transport } from '@proto/core/transport';
import type { CleanUp } from '../ending.ts';
import type { Variables } from '../environment-variables.ts';
import { createAccessTokens, withTokens } from '../remote/access-tokens.ts';
import { connectRemote } from '../remote/connect-remote.ts';
import { mirror } from './mirror.ts';

/** The remote session that mirrors a local session. */
export interface OpenMirrorOptions {
  readonly url: string;
  readonly env: Variables;
  /** Whether the agent echoes prompts itself. */
  readonly replays: boolean;
  readonly warn: (text: string) => void;
  readonly onExit: (cleanUp: CleanUp) => void;
}

export interface OpenMirror {
  /** Wraps the transport of the local host in a transport that serves both hosts. */
  join(local: Transport): Transport;
  /** Wraps the agent's options so that the local host can set a new token for the remote session. */
  withTokens(agent: AgentOptions): AgentOptions;
}

export async function openMirror(options: OpenMirrorOptions): Promise<OpenMirror> {
  const { url, env, replays, warn, onExit } = options;
  const tokens = createAccessTokens(env);
  const remote = await connectRemote({ url, env, tokens, warn });
  onExit(() => remote.close());
  const onGone = (error?: Error) =>
    warn(`Warning: the mirror of this session has stopped: ${error?.message ?? 'it has ended'}`);
  return {
    join: (local) => mirror({ local, remote, replays, onGone }),
    withTokens: (agent) => withTokens(agent, tokens),
  };
}
