import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { mcpServerStatus } from '../mcp-servers.ts';
import { slashCommand } from '../system/init.ts';
import { agentInfo, pluginConfig } from './capabilities.ts';

/** Requests that cause the agent to reload its plugins, skills and output styles. */
export const pluginRequests = {
  reload_plugins: requestOf('reload_plugins', {
    hold_on_cache_impact: z.optional(z.boolean()),
    add_plugins: z.optional(z.array(pluginConfig)),
    refuse_if_busy: z
      .optional(z.boolean())
      .check(
        z.describe(
          'If true, a busy agent refuses the request with the error `reload_plugins_busy`. Requires the capability `reload_plugins_refuse_if_busy_v1`.',
        ),
      ),
  }).register(protocol, { id: 'SDKControlReloadPluginsRequest', description: 'Reloads the plugins, and adds the plugins in `add_plugins`.' }),
  reload_skills: requestOf('reload_skills', {}).register(protocol, { id: 'SDKControlReloadSkillsRequest', description: 'Reloads the skills.' }),
  reload_output_styles: requestOf('reload_output_styles', {}).register(protocol, {
    id: 'SDKControlReloadOutputStylesRequest',
    description: 'Reloads the output styles.',
  }),
};

const cacheImpact = openObject({
  mcp_servers_added: z.array(z.string()),
  mcp_servers_removed: z.array(z.string()),
  lsp_tool_change: z.nullable(openEnum(['adds', 'may-add', 'removes', 'may-remove'])),
});

/** The payloads of the answers to these requests. */
export const pluginResponses = {
  reload_plugins: openObject({
    commands: z.array(slashCommand),
    agents: z.array(agentInfo),
    plugins: z.array(openObject({ name: z.string(), path: z.string(), source: z.optional(z.string()), version: z.optional(z.string()) })),
    mcpServers: z.array(mcpServerStatus),
    error_count: z.number(),
    held: z.optional(z.boolean()),
    cache_impact: z.optional(cacheImpact),
  }).register(protocol, {
    id: 'SDKControlReloadPluginsResponse',
    description: 'The commands, subagents, plugins and MCP servers after the plugins were reloaded.',
  }),
  reload_skills: openObject({ skills: z.array(slashCommand) }).register(protocol, {
    id: 'SDKControlReloadSkillsResponse',
    description: 'All skills after they were reloaded.',
  }),
  reload_output_styles: openObject({ available_output_styles: z.array(z.string()) }).register(protocol, {
    id: 'SDKControlReloadOutputStylesResponse',
    description: 'All output styles after they were reloaded.',
  }),
};
