import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** The request about the context window. */
export const contextUsageRequests = {
  get_context_usage: lazy(() =>
    object({ subtype: z.literal('get_context_usage'), detail: optional(openEnum(['summary', 'full'])) }),
  ),
};

/** Asks what fills the context window; `summary` spares the calls that count tokens. */
export type SDKControlGetContextUsageRequest = Infer<typeof contextUsageRequests.get_context_usage>;

/** The payload of its answer. */
export const contextUsageResponses = {
  get_context_usage: lazy(() =>
    object({
      categories: z.array(
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
          name: z.string(),
          tokens: z.number(),
          color: z.string(),
          isDeferred: optional(z.boolean()),
          kind: openEnum(['used', 'free', 'buffer', 'deferred']),
        }),
      ),
      totalTokens: z.number(),
      maxTokens: z.number(),
      rawMaxTokens: z.number(),
      percentage: z.number(),
      gridRows: z.array(
        z.array(
          object({
            color: z.string(),
            isFilled: z.boolean(),
            categoryName: z.string(),
            tokens: z.number(),
            percentage: z.number(),
            squareFullness: z.number(),
          }),
        ),
      ),
      model: z.string(),
      memoryFiles: z.array(object({ path: z.string(), type: z.string(), tokens: z.number() })),
      mcpTools: z.array(
        object({ name: z.string(), serverName: z.string(), tokens: z.number(), isLoaded: optional(z.boolean()) }),
      ),
      mcpInstructions: optional(z.array(object({ serverName: z.string(), tokens: z.number() }))),
      deferredBuiltinTools: optional(z.array(object({ name: z.string(), tokens: z.number(), isLoaded: z.boolean() }))),
      systemTools: optional(z.array(object({ name: z.string(), tokens: z.number() }))),
      systemPromptSections: optional(z.array(object({ name: z.string(), tokens: z.number() }))),
      agents: z.array(
        object({
          agentType: z.string(),
          source: z.string(),
          pluginId: optional(z.string()),
          path: optional(z.string()),
          tokens: z.number(),
        }),
      ),
      slashCommands: optional(object({ totalCommands: z.number(), includedCommands: z.number(), tokens: z.number() })),
      skills: optional(
        object({
          totalSkills: z.number(),
          includedSkills: z.number(),
          tokens: z.number(),
          skillFrontmatter: z.array(
            object({
              name: z.string(),
              source: z.string(),
              pluginName: optional(z.string()),
              pluginId: optional(z.string()),
              path: optional(z.string()),
              tokens: z.number(),
            }),
          ),
        }),
      ),
      autoCompactThreshold: optional(z.number()),
      isAutoCompactEnabled: z.boolean(),
      messageBreakdown: optional(
        object({
          toolCallTokens: z.number(),
          toolResultTokens: z.number(),
          attachmentTokens: z.number(),
          assistantMessageTokens: z.number(),
          userMessageTokens: z.number(),
          redirectedContextTokens: z.number(),
          unattributedTokens: z.number(),
          toolCallsByType: z.array(object({ name: z.string(), callTokens: z.number(), resultTokens: z.number() })),
          attachmentsByType: z.array(object({ name: z.string(), tokens: z.number() })),
        }),
      ),
      apiUsage: z.nullable(
        object({
          input_tokens: z.number(),
          output_tokens: z.number(),
          cache_creation_input_tokens: z.number(),
          cache_read_input_tokens: z.number(),
        }),
      ),
      autocompactSource: optional(z.string()),
    }),
  ),
};

/** What fills the context window. */
export type SDKControlGetContextUsageResponse = Infer<typeof contextUsageResponses.get_context_usage>;
