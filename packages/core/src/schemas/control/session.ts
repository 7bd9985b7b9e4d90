import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';

/** Requests about the session as a whole. */
export const sessionRequests = {
  interrupt: requestOf('interrupt', {
    cancel_queued: z
      .optional(z.boolean())
      .check(z.describe('If true, the agent also drops the queued prompts. Requires the capability `interrupt_cancel_queued_v1`.')),
  }).register(protocol, { id: 'SDKControlInterruptRequest', description: 'Ends the running turn. With `cancel_queued`, also drops the queued prompts.' }),
  rename_session: requestOf('rename_session', {
    title: z.string(),
    source: z.optional(openEnum(['remote', 'host'])).check(z.describe('Who chose the title. Default `remote`.')),
    session_id: z.optional(z.string()).check(z.describe('The session to rename. Only the current session is accepted.')),
  }).register(protocol, { id: 'SDKControlRenameSessionRequest', description: 'Gives the session a title.' }),
  set_color: requestOf('set_color', { color: z.string().check(z.describe('A colour, or `default`.')) }).register(protocol, {
    id: 'SDKControlSetColorRequest',
    description: 'Sets the accent colour of the session.',
  }),
  cancel_async_message: requestOf('cancel_async_message', {
    message_uuid: z.string().check(z.describe('The `uuid` of the prompt. If no queued prompt has this `uuid`, the request still succeeds.')),
  }).register(protocol, { id: 'SDKControlCancelAsyncMessageRequest', description: 'Removes a prompt from the queue.' }),
  set_has_subscribers: requestOf('set_has_subscribers', {
    has_subscribers: z
      .nullable(z.boolean())
      .check(z.describe('This member has an effect only if the agent was started with the environment variable `CLAUDE_CODE_STREAM_EVENT_HOLD_MS`.')),
  }).register(protocol, { id: 'SDKControlSetHasSubscribersRequest', description: 'Informs the agent whether any client reads the stream events.' }),
  get_session_cost: requestOf('get_session_cost', {}).register(protocol, {
    id: 'SDKControlGetSessionCostRequest',
    description: 'Asks for the cost of the session so far, as text.',
  }),
  get_binary_version: requestOf('get_binary_version', {}).register(protocol, {
    id: 'SDKControlGetBinaryVersionRequest',
    description: 'Asks for the version and the build of the agent.',
  }),
};

/** The payloads of the answers to these requests. */
export const sessionResponses = {
  interrupt: openObject({
    still_queued: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of the prompts that are still queued.')),
    cancelled: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of the prompts that were dropped. Present only with `cancel_queued`.')),
  }).register(protocol, {
    id: 'SDKControlInterruptResponse',
    description: 'The receipt of an interrupt: the prompts that are still queued, and the prompts that were dropped. Older agents send an empty receipt.',
  }),
  rename_session: openObject({}),
  set_color: openObject({}),
  cancel_async_message: openObject({
    cancelled: z.optional(z.boolean()).check(z.describe('False if no queued prompt had this `uuid`.')),
    message_uuid: z.optional(z.string()).check(z.describe('The `message_uuid` of the request.')),
  }).register(protocol, { id: 'SDKControlCancelAsyncMessageResponse', description: 'Whether the prompt was removed from the queue.' }),
  set_has_subscribers: openObject({}),
  get_session_cost: openObject({ text: z.optional(z.string()) }).register(protocol, {
    id: 'SDKControlGetSessionCostResponse',
    description: 'The cost of the session, as text for people.',
  }),
  get_binary_version: openObject({ version: z.optional(z.string()), buildTime: z.optional(z.string()), oldestDesktopSdk: z.optional(z.string()) }).register(
    protocol,
    { id: 'SDKControlGetBinaryVersionResponse', description: 'The version and the build of the agent.' },
  ),
};
