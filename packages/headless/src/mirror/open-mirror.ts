import type { Transport } from '@proto/core/transport';
import type { CleanUp } from '../ending.ts';
import { createAccessTokens } from '../remote/access-tokens.ts';
import { connectRemote } from '../remote/connect-remote.ts';
import type { Variables } from '../variables.ts';
import { mirror } from './mirror.ts';

/** Where a session is mirrored to. */
export interface OpenMirrorOptions {
  readonly url: string;
  readonly env: Variables;
  /** Whether the agent echoes prompts itself. */
  readonly replays: boolean;
  readonly warn: (text: string) => void;
  readonly onExit: (cleanUp: CleanUp) => void;
}

/** Attaches to the session that a URL names; gives what makes a local host's link one of both. */
export async function openMirror(options: OpenMirrorOptions): Promise<(local: Transport) => Transport> {
  const { url, env, replays, warn, onExit } = options;
  const remote = await connectRemote({ url, env, tokens: createAccessTokens(env), warn });
  onExit(() => remote.close());
  return (local) =>
    mirror({
      local,
      remote,
      replays,
      onGone: (error) => warn(`Warning: the mirror of this session is gone: ${error?.message ?? 'it has ended'}`),
    });
}
