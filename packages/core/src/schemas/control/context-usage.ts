import * as z from 'zod/mini';
import { openEnum, protocol } from '../open.ts';

/** The request about the context window. */
export const contextUsageRequests = {
  get_context_usage: z
    .looseObject({ subtype: z.literal('get_context_usage'), detail: z.optional(openEnum(['summary', 'full'])) })
    .register(protocol, {
      id: 'SDKControlGetContextUsageRequest',
      description: 'Asks what fills the context window; `summary` spares the calls that count tokens.',
    }),
};

/** The payload of its answer. */
export const contextUsageResponses = {
  get_context_usage: z
    .looseObject({
      categories: z.array(
        z.looseObject({
          id: z.optional(
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
          isDeferred: z.optional(z.boolean()),
          kind: openEnum(['used', 'free', 'buffer', 'deferred']),
        }),
      ),
      totalTokens: z.number(),
      maxTokens: z.number(),
      rawMaxTokens: z.number(),
      percentage: z.number(),
      gridRows: z.array(
        z.array(
          z.looseObject({
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
      memoryFiles: z.array(z.looseObject({ path: z.string(), type: z.string(), tokens: z.number() })),
      mcpTools: z.array(
        z.looseObject({
          name: z.string(),
          serverName: z.string(),
          tokens: z.number(),
          isLoaded: z.optional(z.boolean()),
        }),
      ),
      mcpInstructions: z.optional(z.array(z.looseObject({ serverName: z.string(), tokens: z.number() }))),
      deferredBuiltinTools: z.optional(
        z.array(z.looseObject({ name: z.string(), tokens: z.number(), isLoaded: z.boolean() })),
      ),
      systemTools: z.optional(z.array(z.looseObject({ name: z.string(), tokens: z.number() }))),
      systemPromptSections: z.optional(z.array(z.looseObject({ name: z.string(), tokens: z.number() }))),
      agents: z.array(
        z.looseObject({
          agentType: z.string(),
          source: z.string(),
          pluginId: z.optional(z.string()),
          path: z.optional(z.string()),
          tokens: z.number(),
        }),
      ),
      slashCommands: z.optional(
        z.looseObject({ totalCommands: z.number(), includedCommands: z.number(), tokens: z.number() }),
      ),
      skills: z.optional(
        z.looseObject({
          totalSkills: z.number(),
          includedSkills: z.number(),
          tokens: z.number(),
          skillFrontmatter: z.array(
            z.looseObject({
              name: z.string(),
              source: z.string(),
              pluginName: z.optional(z.string()),
              pluginId: z.optional(z.string()),
              path: z.optional(z.string()),
              tokens: z.number(),
            }),
          ),
        }),
      ),
      autoCompactThreshold: z.optional(z.number()),
      isAutoCompactEnabled: z.boolean(),
      messageBreakdown: z.optional(
        z.looseObject({
          toolCallTokens: z.number(),
          toolResultTokens: z.number(),
          attachmentTokens: z.number(),
          assistantMessageTokens: z.number(),
          userMessageTokens: z.number(),
          redirectedContextTokens: z.number(),
          unattributedTokens: z.number(),
          toolCallsByType: z.array(
            z.looseObject({ name: z.string(), callTokens: z.number(), resultTokens: z.number() }),
          ),
          attachmentsByType: z.array(z.looseObject({ name: z.string(), tokens: z.number() })),
        }),
      ),
      apiUsage: z.nullable(
        z.looseObject({
          input_tokens: z.number(),
          output_tokens: z.number(),
          cache_creation_input_tokens: z.number(),
          cache_read_input_tokens: z.number(),
        }),
      ),
      autocompactSource: z.optional(z.string()),
    })
    .register(protocol, { id: 'SDKControlGetContextUsageResponse', description: 'What fills the context window.' }),
};
