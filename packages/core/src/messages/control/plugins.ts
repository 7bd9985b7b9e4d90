import { mcpServerStatus } from '../mcp-servers.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, number, openEnum, string } from '../schema.ts';
import { slashCommand } from '../slash-command.ts';
import { agentInfo, pluginConfig } from './capabilities.ts';

/** Requests to read again what extends the agent. */
export const pluginRequests = {
  reload_plugins: lazy(() =>
    object({
      subtype: literal('reload_plugins'),
      hold_on_cache_impact: optional(boolean),
      add_plugins: optional(array(pluginConfig)),
      refuse_if_busy: optional(boolean),
    }),
  ),
  reload_skills: lazy(() => object({ subtype: literal('reload_skills') })),
  reload_output_styles: lazy(() => object({ subtype: literal('reload_output_styles') })),
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
      commands: array(slashCommand),
      agents: array(agentInfo),
      plugins: array(object({ name: string, path: string, source: optional(string), version: optional(string) })),
      mcpServers: array(mcpServerStatus),
      error_count: number,
      held: optional(boolean),
      cache_impact: optional(
        object({
          mcp_servers_added: array(string),
          mcp_servers_removed: array(string),
          lsp_tool_change: nullable(openEnum(['adds', 'may-add', 'removes', 'may-remove'])),
        }),
      ),
    }),
  ),
  reload_skills: lazy(() => object({ skills: array(slashCommand) })),
  reload_output_styles: lazy(() => object({ available_output_styles: array(string) })),
};

/** What there is after reading the plugins again. */
export type SDKControlReloadPluginsResponse = Infer<typeof pluginResponses.reload_plugins>;

/** The skills there are. */
export type SDKControlReloadSkillsResponse = Infer<typeof pluginResponses.reload_skills>;

/** The output styles there are. */
export type SDKControlReloadOutputStylesResponse = Infer<typeof pluginResponses.reload_output_styles>;
