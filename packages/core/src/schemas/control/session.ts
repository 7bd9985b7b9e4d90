import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';

/** Requests about the session as a whole. */
export const sessionRequests = {
  interrupt: requestOf('interrupt', {
    cancel_queued: z.optional(z.boolean()).check(z.describe('With true waiting prompts are dropped too; wants the capability `interrupt_cancel_queued_v1`.')),
  }).register(protocol, { id: 'SDKControlInterruptRequest', description: 'Ends the running turn; `cancel_queued` also drops the prompts that wait.' }),
  rename_session: requestOf('rename_session', {
    title: z.string(),
    source: z.optional(openEnum(['remote', 'host'])).check(z.describe('Who gives it the title; `remote` where it is absent.')),
    session_id: z.optional(z.string()).check(z.describe('The session that is meant; any but the current one is refused.')),
  }).register(protocol, { id: 'SDKControlRenameSessionRequest', description: 'Gives the session a title.' }),
  set_color: requestOf('set_color', { color: z.string().check(z.describe('A colour, or `default`.')) }).register(protocol, {
    id: 'SDKControlSetColorRequest',
    description: 'Sets the accent colour of the session.',
  }),
  cancel_async_message: requestOf('cancel_async_message', {
    message_uuid: z.string().check(z.describe('The `uuid` of the prompt; one that does not wait is no error.')),
  }).register(protocol, { id: 'SDKControlCancelAsyncMessageRequest', description: 'Takes back a prompt that waits.' }),
  set_has_subscribers: requestOf('set_has_subscribers', {
    has_subscribers: z.nullable(z.boolean()).check(z.describe('Matters only to agents that are started with the variable `CLAUDE_CODE_STREAM_EVENT_HOLD_MS`.')),
  }).register(protocol, { id: 'SDKControlSetHasSubscribersRequest', description: 'Tells whether anybody looks at the stream events.' }),
  get_session_cost: requestOf('get_session_cost', {}).register(protocol, {
    id: 'SDKControlGetSessionCostRequest',
    description: 'Asks what the session has cost so far, as text.',
  }),
  get_binary_version: requestOf('get_binary_version', {}).register(protocol, {
    id: 'SDKControlGetBinaryVersionRequest',
    description: 'Asks which build the agent is.',
  }),
};

/** The payloads of their answers. */
export const sessionResponses = {
  interrupt: openObject({
    still_queued: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of prompts that still wait.')),
    cancelled: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of prompts that were dropped; there with `cancel_queued` only.')),
  }).register(protocol, {
    id: 'SDKControlInterruptResponse',
    description: 'The receipt: prompts that still wait, and those that were dropped. Older agents send an empty one.',
  }),
  rename_session: openObject({}),
  set_color: openObject({}),
  cancel_async_message: openObject({
    cancelled: z.optional(z.boolean()).check(z.describe('False where no prompt with that id was waiting.')),
    message_uuid: z.optional(z.string()).check(z.describe('As in the request.')),
  }).register(protocol, { id: 'SDKControlCancelAsyncMessageResponse', description: 'Whether the prompt was still waiting.' }),
  set_has_subscribers: openObject({}),
  get_session_cost: openObject({ text: z.optional(z.string()) }).register(protocol, {
    id: 'SDKControlGetSessionCostResponse',
    description: 'What the session has cost, for people to read.',
  }),
  get_binary_version: openObject({ version: z.optional(z.string()), buildTime: z.optional(z.string()), oldestDesktopSdk: z.optional(z.string()) }).register(
    protocol,
    { id: 'SDKControlGetBinaryVersionResponse', description: 'Which build the agent is.' },
  ),
};
