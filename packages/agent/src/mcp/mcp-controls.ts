import { ControlError, type ControlRequest } from '@proto/core';
import { isRecord } from '@proto/core/internal';
import type { AgentOptions, McpServersChange } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import { objectMember, textMember } from '../controls/control-members.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { HostMcpConnection } from './host-mcp-server.ts';
import { HostMcpServers, hostServerNames } from './host-mcp-servers.ts';

/** Creates the MCP servers of the host, and serves the requests about MCP servers. Servers of the agent are the business of its owner. */
export function installMcp(wire: AgentWire, session: PermissionRequests, prompts: PromptQueue): HostMcpServers {
  const { options, createId } = wire;
  const mcp = new HostMcpServers({
    session,
    asking: (signal) => prompts.asking(signal),
    announced: options.sdkMcpServers ?? [],
    isAllowed: options.allowHostMcpServers,
  });
  wire.serve({
    // A success in either case: the host cannot do anything about a server that has gone.
    mcp_message({ server_name: name, message }) {
      mcp.receive(String(name), message);
      options.mcpRoute?.(String(name), message);
    },
    mcp_status: async () => ({ mcpServers: [...mcp.statuses, ...((await options.mcpStatus?.()) ?? [])] }),
    mcp_set_servers: (request) => setServers(mcp, options, objectMember(request, 'servers')),
    async mcp_reconnect(request) {
      const { name } = serverOf(mcp, textMember(request, 'serverName'));
      await mcp.reconnect(name);
    },
    mcp_toggle(request) {
      const { name } = serverOf(mcp, textMember(request, 'serverName'));
      mcp.toggle(name, request['enabled'] === true);
    },
    mcp_call: (request, { signal }) => callTool(mcp, request, { toolUseID: createId(), signal }),
    async mcp_read_resource(request, { signal }) {
      const server = serverOf(mcp, textMember(request, 'serverName'));
      await server.ready;
      return server.request('resources/read', { uri: textMember(request, 'uri') }, signal);
    },
  });
  return mcp;
}

function serverOf(mcp: HostMcpServers, name: string): HostMcpConnection {
  const server = mcp.find(name);
  if (server === undefined) throw new ControlError(`Server not found: ${name}`);
  return server;
}

/** Has exactly these servers from now on. Servers of type `sdk` live in the host; the owner of the agent is asked about the others. */
async function setServers(
  mcp: HostMcpServers,
  options: AgentOptions,
  configs: Readonly<Record<string, unknown>>,
): Promise<McpServersChange> {
  const servers = Object.entries(configs);
  const isHosts = ([, config]: [string, unknown]) => isRecord(config) && config['type'] === 'sdk';
  const others = servers.filter((entry) => !isHosts(entry));
  const named = [...hostServerNames(servers.filter(isHosts).map(([name]) => name))];
  const refused: McpServersChange = {
    errors: Object.fromEntries(others.map(([name]) => [name, 'not supported by this agent'])),
  };
  const {
    added = [],
    removed = [],
    errors = {},
  } = (await options.mcpSetServers?.(Object.fromEntries(others))) ?? refused;
  const change = mcp.set(named);
  return { added: [...change.added, ...added], removed: [...change.removed, ...removed], errors };
}

/** Calls a tool of a server for the host itself. */
async function callTool(
  mcp: HostMcpServers,
  request: ControlRequest,
  options: { readonly toolUseID: string; readonly signal: AbortSignal },
): Promise<Readonly<Record<string, unknown>>> {
  const [, name = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(textMember(request, 'tool')) ?? [];
  // The host trusts its own call. Rules can only judge a call within a turn, and there is none here.
  if (request['check_permissions'] === true) throw new ControlError('check_permissions is not supported');
  const { arguments: input = {} } = request;
  if (!isRecord(input)) throw new ControlError('arguments must be an object', { code: 'invalid_request' });
  const server = serverOf(mcp, name);
  // A server is asked for nothing before its handshake.
  await server.ready;
  return server.callTool(tool, input, options);
}
