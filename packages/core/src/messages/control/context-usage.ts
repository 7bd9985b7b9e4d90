import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, number, openEnum, string } from '../schema.ts';

/** The request about the context window. */
export const contextUsageRequests = {
  get_context_usage: lazy(() =>
    object({ subtype: literal('get_context_usage'), detail: optional(openEnum(['summary', 'full'])) }),
  ),
};

/** Asks what fills the context window; `summary` spares the calls that count tokens. */
export type SDKControlGetContextUsageRequest = Infer<typeof contextUsageRequests.get_context_usage>;

/** The payload of its answer. */
export const contextUsageResponses = {
  get_context_usage: lazy(() =>
    object({
      categories: array(
        object({
          id: optional(
            openEnum([
              'system_prompt',
              'system_tools',
              'mcp_tools',
              'mcp_instructions',
              'mcp_tools_deferred',
              'system_tools_deferred',
              'custom_agents',
              'memory_files',
              'skills',
              'messages',
              'autocompact_buffer',
              'compact_buffer',
              'free_space',
            ]),
          ),
          name: string,
          tokens: number,
          color: string,
          isDeferred: optional(boolean),
          kind: openEnum(['used', 'free', 'buffer', 'deferred']),
        }),
      ),
      totalTokens: number,
      maxTokens: number,
      rawMaxTokens: number,
      percentage: number,
      gridRows: array(
        array(
          object({
            color: string,
            isFilled: boolean,
            categoryName: string,
            tokens: number,
            percentage: number,
            squareFullness: number,
          }),
        ),
      ),
      model: string,
      memoryFiles: array(object({ path: string, type: string, tokens: number })),
      mcpTools: array(object({ name: string, serverName: string, tokens: number, isLoaded: optional(boolean) })),
      mcpInstructions: optional(array(object({ serverName: string, tokens: number }))),
      deferredBuiltinTools: optional(array(object({ name: string, tokens: number, isLoaded: boolean }))),
      systemTools: optional(array(object({ name: string, tokens: number }))),
      systemPromptSections: optional(array(object({ name: string, tokens: number }))),
      agents: array(
        object({
          agentType: string,
          source: string,
          pluginId: optional(string),
          path: optional(string),
          tokens: number,
        }),
      ),
      slashCommands: optional(object({ totalCommands: number, includedCommands: number, tokens: number })),
      skills: optional(
        object({
          totalSkills: number,
          includedSkills: number,
          tokens: number,
          skillFrontmatter: array(
            object({
              name: string,
              source: string,
              pluginName: optional(string),
              pluginId: optional(string),
              path: optional(string),
              tokens: number,
            }),
          ),
        }),
      ),
      autoCompactThreshold: optional(number),
      isAutoCompactEnabled: boolean,
      messageBreakdown: optional(
        object({
          toolCallTokens: number,
          toolResultTokens: number,
          attachmentTokens: number,
          assistantMessageTokens: number,
          userMessageTokens: number,
          redirectedContextTokens: number,
          unattributedTokens: number,
          toolCallsByType: array(object({ name: string, callTokens: number, resultTokens: number })),
          attachmentsByType: array(object({ name: string, tokens: number })),
        }),
      ),
      apiUsage: nullable(
        object({
          input_tokens: number,
          output_tokens: number,
          cache_creation_input_tokens: number,
          cache_read_input_tokens: number,
        }),
      ),
      autocompactSource: optional(string),
    }),
  ),
};

/** What fills the context window. */
export type SDKControlGetContextUsageResponse = Infer<typeof contextUsageResponses.get_context_usage>;
