import * as z from 'zod/mini';
import { openObject, protocol, requestOf } from '../open.ts';
import { hookInput, hookJSONOutput } from '../hooks/input-and-output.ts';
import { settingsParseError } from './settings.ts';

const event = { name: z.string(), summary: z.string(), supportsMatcher: z.boolean().check(z.describe('Whether hooks for this event can have a matcher.')) };

/** Requests about hooks. */
export const hookRequests = {
  hook_callback: requestOf('hook_callback', {
    callback_id: z.string().check(z.describe('The id of the hook, from the `hookCallbackIds` in `initialize`.')),
    input: hookInput,
    tool_use_id: z
      .optional(z.string())
      .check(z.describe('The id of the tool call that caused the event. For an event without a tool call, a new id that does not belong to any call.')),
  }).register(protocol, { id: 'SDKHookCallbackRequest', description: 'Calls a hook of the host, by the id that the host has registered for it.' }),
  get_hooks_listing: requestOf('get_hooks_listing', {}).register(protocol, {
    id: 'SDKControlGetHooksListingRequest',
    description: 'Asks for the list of all hooks.',
  }),
};

const listedHook = openObject({
  event: z.string(),
  matcher: z.string(),
  source: z.string(),
  sourceLabel: z.string(),
  pluginName: z.optional(z.string()),
  type: z.string(),
  displayText: z.string(),
  commandText: z.string(),
  contentLabel: z.string(),
  condition: z.optional(z.string()),
  timeout: z.optional(z.number()),
  statusMessage: z.optional(z.string()),
  runsOnce: z.optional(z.boolean()),
  runsInBackground: z.optional(z.boolean()),
  disabled: z.optional(z.literal(true)),
  editable: z.optional(openObject({ matcher: z.string(), config: z.record(z.string(), z.unknown()), headersRedacted: z.optional(z.literal(true)) })),
});

/** The payloads of the answers to these requests. */
export const hookResponses = {
  hook_callback: hookJSONOutput,
  get_hooks_listing: openObject({
    events: z.array(openObject({ ...event, hookCount: z.number() })),
    hooks: z.array(listedHook),
    eventCatalog: z.array(openObject(event)),
    policy: openObject({
      disabledByPolicy: z.boolean(),
      managedOnly: z.boolean(),
      pluginOnly: z.boolean(),
      allDisabled: z.boolean().check(z.describe('Whether all hooks are switched off, for example by the setting `disableAllHooks`.')),
      policyHookCount: z.number(),
      policyUnreadable: z.optional(z.literal(true)),
    }),
    safeMode: z.optional(openObject({ managedHooksStillApply: z.boolean(), exitHint: z.string() })),
    bareMode: z.optional(openObject({ exitHint: z.string() })),
    errors: z.optional(z.array(settingsParseError)),
  }).register(protocol, { id: 'SDKControlGetHooksListingResponse', description: 'The hooks from all sources.' }),
};
