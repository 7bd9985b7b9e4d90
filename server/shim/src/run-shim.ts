import type { SignalSource } from '@proto/headless';
import { type ForwardedOptions, forwardOptions } from './forwarded-options.ts';
import { openHostSide } from './host-side.ts';
import { openRemoteAgent, parseShimAddress } from './remote-agent.ts';
import { openRemoteSessions } from './remote-sessions.ts';
import type { ShimOptions } from './shim-options.ts';
import { ShimProxy } from './shim-proxy.ts';

/**
 * Stands in for an agent that runs elsewhere, until the host or the agent has finished. Fulfils with the exit code of the agent executable.
 *
 * @throws ShimError if the command line requests something that is not possible
 * @throws SessionError (of `@proto/remote`) if the server cannot be reached or refuses the request
 */
export async function runShim(shim: ShimOptions): Promise<number> {
  const { options, cwd } = shim;
  const address = parseShimAddress(shim.url);
  const forwarded = await forwardOptions(options);
  // The prompt is read before the session is created, so that a missing prompt leaves no unused session.
  const host = await openHostSide(shim);
  const sessions = openRemoteSessions(shim.sessionsFile);
  const token = () => shim.token(address.hostname);
  const agent = await openRemoteAgent({ address, options, token, sessions, cwd });
  shim.onStderr(noticeOf(address.hostname, forwarded));
  const remember = async (conversation: string) => {
    if (agent.session === undefined || address.kind !== 'sessions') return;
    await sessions.remember({ conversation, session: agent.session, base: address.base, cwd });
  };
  if (options.sessionId !== undefined) await remember(options.sessionId);
  const proxy = new ShimProxy({ shim, agent: agent.transport, host, forwarded, remember });
  const unlisten = handleSignals(shim.signals, proxy);
  const code = await proxy.run();
  unlisten();
  return proxy.finish(code);
}

function noticeOf(hostname: string, { left }: ForwardedOptions): string {
  const flags = left.length === 0 ? '' : ` Not passed on: ${left.join(', ')}.`;
  return `sjp-shim: the agent runs on ${hostname}, with its own working directory, files and MCP servers.${flags}\n`;
}

/** The exit codes of published agents. */
const CODES = { SIGINT: 0, SIGHUP: 129, SIGTERM: 143 } as const;

/**
 * Ends the shim on the same signals as published agents: immediately on SIGTERM and SIGHUP, and after the interrupted turn on SIGINT. Returns the
 * function that stops listening.
 */
function handleSignals(source: SignalSource, proxy: ShimProxy): () => void {
  let isInterrupted = false;
  const listeners = {
    SIGTERM: () => proxy.end(CODES.SIGTERM),
    SIGHUP: () => proxy.end(CODES.SIGHUP),
    SIGINT() {
      if (isInterrupted || !proxy.interruptLast()) proxy.end(CODES.SIGINT);
      else isInterrupted = true;
    },
  };
  const names = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  for (const name of names) source.on(name, listeners[name]);
  return () => {
    for (const name of names) source.off(name, listeners[name]);
  };
}
