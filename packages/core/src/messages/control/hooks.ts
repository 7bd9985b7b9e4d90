import { hookInput } from '../hooks/hook-events.ts';
import { hookJSONOutput } from '../hooks/hook-output.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, number, record, string, unknown } from '../schema.ts';
import { settingsParseError } from './settings.ts';

/** Requests about hooks. */
export const hookRequests = {
  hook_callback: lazy(() =>
    object({
      subtype: literal('hook_callback'),
      callback_id: string,
      input: hookInput,
      tool_use_id: optional(string),
    }),
  ),
  get_hooks_listing: lazy(() => object({ subtype: literal('get_hooks_listing') })),
};

/** The agent calls a hook of the host, by the id it was registered with. */
export type SDKHookCallbackRequest = Infer<typeof hookRequests.hook_callback>;

/** Asks which hooks there are. */
export type SDKControlGetHooksListingRequest = Infer<typeof hookRequests.get_hooks_listing>;

/** The payloads of their answers. */
export const hookResponses = {
  hook_callback: lazy(() => hookJSONOutput),
  get_hooks_listing: lazy(() =>
    object({
      events: array(object({ name: string, summary: string, supportsMatcher: boolean, hookCount: number })),
      hooks: array(
        object({
          event: string,
          matcher: string,
          source: string,
          sourceLabel: string,
          pluginName: optional(string),
          type: string,
          displayText: string,
          commandText: string,
          contentLabel: string,
          condition: optional(string),
          timeout: optional(number),
          statusMessage: optional(string),
          runsOnce: optional(boolean),
          runsInBackground: optional(boolean),
          disabled: optional(literal(true)),
          editable: optional(
            object({
              matcher: string,
              config: record(unknown),
              headersRedacted: optional(literal(true)),
            }),
          ),
        }),
      ),
      eventCatalog: array(object({ name: string, summary: string, supportsMatcher: boolean })),
      policy: object({
        disabledByPolicy: boolean,
        managedOnly: boolean,
        pluginOnly: boolean,
        allDisabled: boolean,
        policyHookCount: number,
        policyUnreadable: optional(literal(true)),
      }),
      safeMode: optional(object({ managedHooksStillApply: boolean, exitHint: string })),
      bareMode: optional(object({ exitHint: string })),
      errors: optional(array(settingsParseError)),
    }),
  ),
};

/** Which hooks there are, from all sources. */
export type SDKControlGetHooksListingResponse = Infer<typeof hookResponses.get_hooks_listing>;
