import * as z from 'zod/mini';
import { mcpServerStatus } from '../mcp-servers.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { slashCommand } from '../slash-command.ts';
import { agentInfo, pluginConfig } from './capabilities.ts';

/** Requests to read again what extends the agent. */
export const pluginRequests = {
  reload_plugins: lazy(() =>
    object({
      subtype: z.literal('reload_plugins'),
      hold_on_cache_impact: optional(z.boolean()),
      add_plugins: optional(z.array(pluginConfig())),
      refuse_if_busy: optional(z.boolean()),
    }),
  ),
  reload_skills: lazy(() => object({ subtype: z.literal('reload_skills') })),
  reload_output_styles: lazy(() => object({ subtype: z.literal('reload_output_styles') })),
};

/** Reads the plugins again, and adds some. */
export type SDKControlReloadPluginsRequest = Infer<typeof pluginRequests.reload_plugins>;

/** Reads the skills again. */
export type SDKControlReloadSkillsRequest = Infer<typeof pluginRequests.reload_skills>;

/** Reads the output styles again. */
export type SDKControlReloadOutputStylesRequest = Infer<typeof pluginRequests.reload_output_styles>;

/** The payloads of their answers. */
export const pluginResponses = {
  reload_plugins: lazy(() =>
    object({
      commands: z.array(slashCommand()),
      agents: z.array(agentInfo()),
      plugins: z.array(
        object({ name: z.string(), path: z.string(), source: optional(z.string()), version: optional(z.string()) }),
      ),
      mcpServers: z.array(mcpServerStatus()),
      error_count: z.number(),
      held: optional(z.boolean()),
      cache_impact: optional(
        object({
          mcp_servers_added: z.array(z.string()),
          mcp_servers_removed: z.array(z.string()),
          lsp_tool_change: z.nullable(openEnum(['adds', 'may-add', 'removes', 'may-remove'])),
        }),
      ),
    }),
  ),
  reload_skills: lazy(() => object({ skills: z.array(slashCommand()) })),
  reload_output_styles: lazy(() => object({ available_output_styles: z.array(z.string()) })),
};

/** What there is after reading the plugins again. */
export type SDKControlReloadPluginsResponse = Infer<typeof pluginResponses.reload_plugins>;

/** The skills there are. */
export type SDKControlReloadSkillsResponse = Infer<typeof pluginResponses.reload_skills>;

/** The output styles there are. */
export type SDKControlReloadOutputStylesResponse = Infer<typeof pluginResponses.reload_output_styles>;
