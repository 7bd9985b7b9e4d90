import { ControlError } from '@proto/core';
import { isRecord } from '@proto/core/internal';
import type { McpServersChange } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import { objectMember, textMember } from '../controls/control-members.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { HostMcpConnection } from './host-mcp-server.ts';
import { createHostMcpServers, type HostMcpServers, hostServerNames } from './host-mcp-servers.ts';

/** The MCP servers of the host. Serves what the host asks of servers: its own are known here, those of the agent to its owner. */
export function installMcp(wire: AgentWire, session: PermissionRequests, prompts: PromptQueue): HostMcpServers {
  const { options, createId } = wire;
  const mcp = createHostMcpServers(
    { session, asking: (signal) => prompts.asking(signal) },
    options.sdkMcpServers ?? [],
    options.allowHostMcpServers,
  );

  function serverOf(name: string): HostMcpConnection {
    const server = mcp.find(name);
    if (server === undefined) throw new ControlError(`Server not found: ${name}`);
    return server;
  }

  wire.serve({
    // A success in either case: the host cannot do anything about a server that has gone.
    mcp_message({ server_name: name, message }) {
      mcp.receive(String(name), message);
      options.mcpRoute?.(String(name), message);
    },
    mcp_status: async () => ({ mcpServers: [...mcp.statuses, ...((await options.mcpStatus?.()) ?? [])] }),
    async mcp_set_servers(request) {
      const servers = Object.entries(objectMember(request, 'servers'));
      const isHosts = ([, config]: [string, unknown]) => isRecord(config) && config['type'] === 'sdk';
      const others = servers.filter((entry) => !isHosts(entry));
      const named = [...hostServerNames(servers.filter(isHosts).map(([name]) => name))];
      const none = (): McpServersChange => ({
        errors: Object.fromEntries(others.map(([name]) => [name, 'not supported by this agent'])),
      });
      const { mcpSetServers = none } = options;
      const { added = [], removed = [], errors = {} } = await mcpSetServers(Object.fromEntries(others));
      const change = mcp.set(named);
      return { added: [...change.added, ...added], removed: [...change.removed, ...removed], errors };
    },
    async mcp_reconnect(request) {
      const { name } = serverOf(textMember(request, 'serverName'));
      await mcp.reconnect(name);
    },
    mcp_toggle(request) {
      const { name } = serverOf(textMember(request, 'serverName'));
      mcp.toggle(name, request['enabled'] === true);
    },
    async mcp_call(request, { signal }) {
      const [, name = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(textMember(request, 'tool')) ?? [];
      // The host trusts its own call; to judge it there would have to be a turn.
      if (request['check_permissions'] === true) throw new ControlError('check_permissions is not supported');
      const { arguments: input = {} } = request;
      if (!isRecord(input)) throw new ControlError('arguments must be an object', { code: 'invalid_request' });
      const server = serverOf(name);
      // No server is asked for anything ahead of its handshake.
      await server.ready;
      return server.callTool(tool, input, { toolUseID: createId(), signal });
    },
    async mcp_read_resource(request, { signal }) {
      const server = serverOf(textMember(request, 'serverName'));
      await server.ready;
      return server.request('resources/read', { uri: textMember(request, 'uri') }, signal);
    },
  });
  return mcp;
}
