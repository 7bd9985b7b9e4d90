import { isWorker, type Transport } from '@proto/core/transport';
import type { CleanUp } from '../ending.ts';
import type { Variables } from '../environment-variables.ts';
import type { FinalOutput } from '../output/formats.ts';
import type { OpenSession } from '../sessions/opened-session.ts';
import { createAccessTokens } from './access-tokens.ts';
import { connectRemote } from './connect-remote.ts';
import { type RemoteServing, serveRemote } from './serve-remote.ts';
import { openWorkerSession } from './worker-session.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly env: Variables;
  readonly warn: (text: string) => void;
  readonly onExit: (cleanUp: CleanUp) => void;
}

/** A remote session that is attached but not yet served. */
export interface RemoteSession {
  /** Undefined if the server has no store. */
  readonly openSession: OpenSession | undefined;
  /** Closes the connection after all messages have been sent. */
  close(): void;
  serve(serving: Omit<RemoteServing, 'remote' | 'tokens' | 'env'>): Promise<FinalOutput>;
}

/** Attaches to the session at a URL, and closes the connection when the process ends. */
export async function openRemote({ url, env, warn, onExit }: RemoteOptions): Promise<RemoteSession> {
  const tokens = createAccessTokens(env);
  const remote: Transport = await connectRemote({ url, env, tokens, warn });
  onExit(() => remote.close());
  return {
    openSession: isWorker(remote) ? openWorkerSession(remote.worker) : undefined,
    close: () => void remote.close(),
    serve: (serving) => serveRemote({ ...serving, env, remote, tokens }),
  };
}
