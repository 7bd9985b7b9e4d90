import type { Transport } from '@proto/core/transport';
import { type AgentCommand, agentCommandLine, type LaunchOptions } from '@proto/host';
import type { Conversations, EditorAgent, EditorRequest, EditorSessions } from './editor-sessions.ts';
import { mcpConfigs } from '../mcp-servers.ts';

/** How the agent of a session is started. */
export interface AgentStart extends AgentCommand {
  /** The working directory of the session. */
  readonly cwd: string;
}

/** The options of `localSessions`. */
export interface LocalSessionsOptions {
  /** Starts the agent of a session, and returns the transport to it. Called once for each session that the editor opens. */
  readonly start: (start: AgentStart) => Transport;
  /** The conversations that the agent has stored. Default: the editor cannot list, load or delete conversations. */
  readonly conversations?: Conversations;
  /** Further flags of each agent. Default: none. */
  readonly launch?: LaunchOptions;
}

/** Starts an agent for each session of an editor. */
export function localSessions({ start, conversations, launch = {} }: LocalSessionsOptions): EditorSessions {
  const agentFor = (
    sessionId: string,
    { cwd, additionalDirectories, mcpServers = [] }: EditorRequest,
    which: Pick<LaunchOptions, 'sessionId' | 'resume'>,
  ): EditorAgent => {
    const hasServers = mcpServers.length > 0;
    const flags: LaunchOptions = {
      includePartialMessages: true,
      permissionPromptTool: 'stdio',
      ...(hasServers && { awaitInitialize: true }),
      ...(additionalDirectories && { addDir: additionalDirectories }),
      ...launch,
      ...which,
    };
    return {
      sessionId,
      transport: start({ ...agentCommandLine(flags), cwd }),
      ...(hasServers && { initialize: { mcpServers: mcpConfigs(mcpServers) } }),
      ...(launch.permissionMode !== undefined && { mode: launch.permissionMode }),
    };
  };
  return {
    isLocal: true,
    create: async (request) => {
      const sessionId = crypto.randomUUID();
      return agentFor(sessionId, request, { sessionId });
    },
    open: async (sessionId, request) => agentFor(sessionId, request, { resume: sessionId }),
    ...(conversations && { conversations }),
  };
}
