import { ControlError, type ControlRequest } from '@proto/core';
import { isRecord } from '@proto/core/internal';
import type { AgentMcpOptions, McpServersChange } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import { objectMember, textMember, unsupported } from '../controls/control-members.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { HostMcpConnection } from './host-mcp-server.ts';
import { HostMcpServers, hostServerNames } from './host-mcp-servers.ts';
import { serversByPlace } from './servers-by-place.ts';

/** Requests about the agent's own servers are served with the owner's options. */
export function installMcp(wire: AgentWire, session: PermissionRequests, prompts: PromptQueue): HostMcpServers {
  const { createId } = wire;
  const options = wire.options.mcp ?? {};
  const mcp = new HostMcpServers({
    session,
    asking: (signal) => prompts.asking(signal),
    announced: options.sdkServers ?? [],
    isAllowed: options.allowHostServers,
  });
  wire.serve({
    // This succeeds even for an unknown server, because the host cannot do anything about a server that was removed.
    mcp_message({ server_name: name, message }) {
      mcp.receive(String(name), message);
      options.onMessage?.(String(name), message);
    },
    mcp_status: async () => ({ mcpServers: [...mcp.statuses, ...((await options.status?.()) ?? [])] }),
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
    set_mcp_permission_mode_override: (request) => overrideMode(mcp, options, request),
    mcp_authenticate: (request) => refuseSignIn(mcp, request),
    mcp_clear_auth: (request) => refuseSignIn(mcp, request),
    mcp_oauth_callback_url: (request) => refuseSignIn(mcp, request),
  });
  return mcp;
}

function serverOf(mcp: HostMcpServers, name: string): HostMcpConnection {
  const server = mcp.find(name);
  if (server === undefined) throw new ControlError(`Server not found: ${name}`);
  return server;
}

/** An agent whose own MCP servers need a sign-in serves these requests itself. */
function refuseSignIn(mcp: HostMcpServers, request: ControlRequest): never {
  const { name } = serverOf(mcp, textMember(request, 'serverName'));
  throw unsupported(`${name} is an MCP server of the host: the host, not the agent, signs in to it`);
}

/** The limit may be set even before the server is known. */
async function overrideMode(
  mcp: HostMcpServers,
  { onPermissionModeChange, status }: AgentMcpOptions,
  request: ControlRequest,
): Promise<{ readonly warning?: string }> {
  const name = textMember(request, 'serverName');
  const { mode } = request;
  if (onPermissionModeChange === undefined) throw unsupported('This agent has no permission modes for MCP servers');
  if (mode !== null && mode !== 'default' && mode !== 'auto') {
    throw new ControlError('mode must be "default", "auto" or null', { code: 'invalid_mode' });
  }
  onPermissionModeChange(name, mode);
  const isNamed = (server: unknown) => isRecord(server) && server['name'] === name;
  const isKnown = mcp.find(name) !== undefined || ((await status?.()) ?? []).some(isNamed);
  if (isKnown || mode === null) return {};
  return {
    warning: `The MCP server ${name} is not known yet. The mode applies when a server with this name connects.`,
  };
}

/**
 * Servers of type `sdk` run in the host. The owner of the agent decides about all other servers. Unless the owner needs time, the change takes effect
 * before the next request is read.
 */
function setServers(
  mcp: HostMcpServers,
  { onSetServers }: AgentMcpOptions,
  configs: Readonly<Record<string, unknown>>,
): McpServersChange | Promise<McpServersChange> {
  const { inHost, others } = serversByPlace(configs);
  const named = [...hostServerNames(inHost)];
  const refused: McpServersChange = {
    errors: Object.fromEntries(Object.keys(others).map((name) => [name, 'not supported by this agent'])),
  };
  const change = ({ added = [], removed = [], errors = {} }: McpServersChange) => {
    const own = mcp.set(named);
    return { added: [...own.added, ...added], removed: [...own.removed, ...removed], errors };
  };
  const taken = onSetServers?.(others) ?? refused;
  return taken instanceof Promise ? taken.then(change) : change(taken);
}

async function callTool(
  mcp: HostMcpServers,
  request: ControlRequest,
  options: { readonly toolUseID: string; readonly signal: AbortSignal },
): Promise<Readonly<Record<string, unknown>>> {
  const [, name = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(textMember(request, 'tool')) ?? [];
  // The host trusts its own call. The permission rules apply only to calls made in a turn, and this call does not belong to a turn.
  if (request['check_permissions'] === true) throw new ControlError('check_permissions is not supported');
  const { arguments: input = {} } = request;
  if (!isRecord(input)) throw new ControlError('arguments must be an object', { code: 'invalid_request' });
  const server = serverOf(mcp, name);
  // No request is sent to a server before its handshake.
  await server.ready;
  return server.callTool(tool, input, options);
}
