import * as z from 'zod/mini';
import { hookInput } from '../hooks/hook-events.ts';
import { hookJSONOutput } from '../hooks/hook-output.ts';
import { type Infer, lazy, object, optional } from '../schema.ts';
import { settingsParseError } from './settings.ts';

/** Requests about hooks. */
export const hookRequests = {
  hook_callback: lazy(() =>
    object({
      subtype: z.literal('hook_callback'),
      callback_id: z.string(),
      input: hookInput(),
      tool_use_id: optional(z.string()),
    }),
  ),
  get_hooks_listing: lazy(() => object({ subtype: z.literal('get_hooks_listing') })),
};

/** The agent calls a hook of the host, by the id it was registered with. */
export type SDKHookCallbackRequest = Infer<typeof hookRequests.hook_callback>;

/** Asks which hooks there are. */
export type SDKControlGetHooksListingRequest = Infer<typeof hookRequests.get_hooks_listing>;

/** The payloads of their answers. */
export const hookResponses = {
  hook_callback: lazy(() => hookJSONOutput()),
  get_hooks_listing: lazy(() =>
    object({
      events: z.array(
        object({ name: z.string(), summary: z.string(), supportsMatcher: z.boolean(), hookCount: z.number() }),
      ),
      hooks: z.array(
        object({
          event: z.string(),
          matcher: z.string(),
          source: z.string(),
          sourceLabel: z.string(),
          pluginName: optional(z.string()),
          type: z.string(),
          displayText: z.string(),
          commandText: z.string(),
          contentLabel: z.string(),
          condition: optional(z.string()),
          timeout: optional(z.number()),
          statusMessage: optional(z.string()),
          runsOnce: optional(z.boolean()),
          runsInBackground: optional(z.boolean()),
          disabled: optional(z.literal(true)),
          editable: optional(
            object({
              matcher: z.string(),
              config: z.record(z.string(), z.unknown()),
              headersRedacted: optional(z.literal(true)),
            }),
          ),
        }),
      ),
      eventCatalog: z.array(object({ name: z.string(), summary: z.string(), supportsMatcher: z.boolean() })),
      policy: object({
        disabledByPolicy: z.boolean(),
        managedOnly: z.boolean(),
        pluginOnly: z.boolean(),
        allDisabled: z.boolean(),
        policyHookCount: z.number(),
        policyUnreadable: optional(z.literal(true)),
      }),
      safeMode: optional(object({ managedHooksStillApply: z.boolean(), exitHint: z.string() })),
      bareMode: optional(object({ exitHint: z.string() })),
      errors: optional(z.array(settingsParseError())),
    }),
  ),
};

/** Which hooks there are, from all sources. */
export type SDKControlGetHooksListingResponse = Infer<typeof hookResponses.get_hooks_listing>;
