import * as z from 'zod/mini';
import { mcpServerStatus } from '../mcp-servers.ts';
import { slashCommand } from '../slash-command.ts';
import { agentInfo, pluginConfig } from './capabilities.ts';
import { openEnum, protocol } from '../open.ts';

/** Requests to read again what extends the agent. */
export const pluginRequests = {
  reload_plugins: z
    .looseObject({
      subtype: z.literal('reload_plugins'),
      hold_on_cache_impact: z.optional(z.boolean()),
      add_plugins: z.optional(z.array(pluginConfig)),
      refuse_if_busy: z
        .optional(z.boolean())
        .check(z.describe('With true a busy agent refuses with `reload_plugins_busy`; needs the capability `reload_plugins_refuse_if_busy_v1`.')),
    })
    .register(protocol, { id: 'SDKControlReloadPluginsRequest', description: 'Reads the plugins again, and adds some.' }),
  reload_skills: z
    .looseObject({ subtype: z.literal('reload_skills') })
    .register(protocol, { id: 'SDKControlReloadSkillsRequest', description: 'Reads the skills again.' }),
  reload_output_styles: z
    .looseObject({ subtype: z.literal('reload_output_styles') })
    .register(protocol, { id: 'SDKControlReloadOutputStylesRequest', description: 'Reads the output styles again.' }),
};

/** The payloads of their answers. */
export const pluginResponses = {
  reload_plugins: z
    .looseObject({
      commands: z.array(slashCommand),
      agents: z.array(agentInfo),
      plugins: z.array(z.looseObject({ name: z.string(), path: z.string(), source: z.optional(z.string()), version: z.optional(z.string()) })),
      mcpServers: z.array(mcpServerStatus),
      error_count: z.number(),
      held: z.optional(z.boolean()),
      cache_impact: z.optional(
        z.looseObject({
          mcp_servers_added: z.array(z.string()),
          mcp_servers_removed: z.array(z.string()),
          lsp_tool_change: z.nullable(openEnum(['adds', 'may-add', 'removes', 'may-remove'])),
        }),
      ),
    })
    .register(protocol, { id: 'SDKControlReloadPluginsResponse', description: 'What there is after reading the plugins again.' }),
  reload_skills: z
    .looseObject({ skills: z.array(slashCommand) })
    .register(protocol, { id: 'SDKControlReloadSkillsResponse', description: 'The skills there are.' }),
  reload_output_styles: z
    .looseObject({ available_output_styles: z.array(z.string()) })
    .register(protocol, { id: 'SDKControlReloadOutputStylesResponse', description: 'The output styles there are.' }),
};
