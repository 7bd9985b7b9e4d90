import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, openEnum, string } from '../schema.ts';

/** Requests about the session as a whole. */
export const sessionRequests = {
  interrupt: lazy(() => object({ subtype: literal('interrupt'), cancel_queued: optional(boolean) })),
  rename_session: lazy(() =>
    object({
      subtype: literal('rename_session'),
      title: string,
      source: optional(openEnum(['remote', 'host'])),
      session_id: optional(string),
    }),
  ),
  set_color: lazy(() => object({ subtype: literal('set_color'), color: string })),
  cancel_async_message: lazy(() => object({ subtype: literal('cancel_async_message'), message_uuid: string })),
  set_has_subscribers: lazy(() =>
    object({ subtype: literal('set_has_subscribers'), has_subscribers: nullable(boolean) }),
  ),
  get_session_cost: lazy(() => object({ subtype: literal('get_session_cost') })),
  get_binary_version: lazy(() => object({ subtype: literal('get_binary_version') })),
};

/** Ends the running turn; `cancel_queued` also drops the prompts that wait. */
export type SDKControlInterruptRequest = Infer<typeof sessionRequests.interrupt>;

/** Gives the session a title. */
export type SDKControlRenameSessionRequest = Infer<typeof sessionRequests.rename_session>;

/** Sets the accent colour of the session. */
export type SDKControlSetColorRequest = Infer<typeof sessionRequests.set_color>;

/** Takes back a prompt that waits. */
export type SDKControlCancelAsyncMessageRequest = Infer<typeof sessionRequests.cancel_async_message>;

/** Tells whether anybody looks at the stream events. */
export type SDKControlSetHasSubscribersRequest = Infer<typeof sessionRequests.set_has_subscribers>;

/** Asks what the session has cost so far, as text. */
export type SDKControlGetSessionCostRequest = Infer<typeof sessionRequests.get_session_cost>;

/** Asks which build the agent is. */
export type SDKControlGetBinaryVersionRequest = Infer<typeof sessionRequests.get_binary_version>;

/** The payloads of their answers. */
export const sessionResponses = {
  interrupt: lazy(() => object({ still_queued: optional(array(string)), cancelled: optional(array(string)) })),
  rename_session: lazy(() => object({})),
  set_color: lazy(() => object({})),
  cancel_async_message: lazy(() => object({ cancelled: optional(boolean), message_uuid: optional(string) })),
  set_has_subscribers: lazy(() => object({})),
  get_session_cost: lazy(() => object({ text: optional(string) })),
  get_binary_version: lazy(() =>
    object({ version: optional(string), buildTime: optional(string), oldestDesktopSdk: optional(string) }),
  ),
};

/** The receipt: prompts that still wait, and those that were dropped. Older agents send an empty one. */
export type SDKControlInterruptResponse = Infer<typeof sessionResponses.interrupt>;

/** Whether the prompt was still waiting. */
export type SDKControlCancelAsyncMessageResponse = Infer<typeof sessionResponses.cancel_async_message>;

/** What the session has cost, for people to read. */
export type SDKControlGetSessionCostResponse = Infer<typeof sessionResponses.get_session_cost>;

/** Which build the agent is. */
export type SDKControlGetBinaryVersionResponse = Infer<typeof sessionResponses.get_binary_version>;
