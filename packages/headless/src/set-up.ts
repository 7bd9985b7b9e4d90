import type { WireMessage } from '@proto/core';
import type { HeadlessEnvironment, HeadlessSeams, HeadlessStart } from './environment.ts';
import type { MissingSession, OpenedSession, SessionPlace } from './opened-session.ts';
import { openSessionFile } from './open-session.ts';
import { mcpServers } from './mcp-servers.ts';

/** What a session begins with. */
export interface ReadySession extends OpenedSession {
  readonly seams: HeadlessSeams;
  /** The MCP servers of the host that the command line announces. */
  readonly sdkMcpServers: readonly string[];
  /** What the hooks of the start have to say; the first turn waits for it. */
  readonly started: Promise<readonly WireMessage[]>;
}

/**
 * Makes all ready for a session: the hooks of its start begin, then what the agent is to set up and its settings, side by side;
 * behind them the session is opened. Rejects with what stood in the way.
 */
export async function setUp(
  environment: HeadlessEnvironment,
  start: HeadlessStart,
  place: SessionPlace,
): Promise<ReadySession | MissingSession> {
  const { settings, openSession = openSessionFile } = environment;
  const started = startHooks(environment, start);
  // Heard by the first turn; there may be none.
  started.catch(() => {});
  const [servers] = await Promise.all([mcpServers(start.options), environment.setUp?.(start), settings?.load?.()]);
  if (servers.others.length > 0 && !environment.reads?.includes('mcpConfig')) place.warn(leftOut(servers.others));
  const opened = await openSession(start.options, place);
  if ('missing' in opened) return opened;
  start.onExit(() => opened.close?.());
  return { ...opened, seams: (await environment.seams?.(start)) ?? {}, sdkMcpServers: servers.inHost, started };
}

function leftOut(names: readonly string[]): string {
  const which = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} left out`;
  return `Warning: --mcp-config: this agent does not start MCP servers of its own, ${which}; servers of type sdk, which live in the host, are used`;
}

async function startHooks(
  { sessionStart }: HeadlessEnvironment,
  start: HeadlessStart,
): Promise<readonly WireMessage[]> {
  return (await sessionStart?.(start)) ?? [];
}
