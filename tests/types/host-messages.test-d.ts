import type { WireMessage } from '@proto/core/framing';
import type {
  ContentBlock,
  SDKAssistantMessage,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKSystemMessage,
  SDKTranscriptMirrorMessage,
  UnknownMessage,
  UnknownResultMessage,
  UnknownSystemMessage,
} from '@proto/core/messages';
import { type AgentMessage, type HostSession, type HostSessionOptions, query, type SessionState } from '@proto/host';
import { expectTypeOf } from 'vitest';

declare const host: HostSession;

// Every way to read the messages gives the same union.
for await (const message of host) expectTypeOf(message).toEqualTypeOf<AgentMessage>();
for await (const message of host.untilResult()) expectTypeOf(message).toEqualTypeOf<AgentMessage>();
for await (const message of query({ prompt: 'hi', transport: host.transport })) {
  expectTypeOf(message).toEqualTypeOf<AgentMessage>();
}

declare const message: AgentMessage;

// A comparison of `type` narrows the union, and a comparison of `subtype` narrows it further.
if (message.type === 'assistant') {
  expectTypeOf(message).toEqualTypeOf<SDKAssistantMessage>();
  for (const block of message.message.content) {
    expectTypeOf(block).toEqualTypeOf<ContentBlock>();
    if (block.type === 'tool_use') expectTypeOf(block.name).toBeString();
  }
}
if (message.type === 'result') {
  expectTypeOf(message).toEqualTypeOf<SDKResultMessage | UnknownResultMessage>();
  expectTypeOf(message.is_error).toBeBoolean();
  // @ts-expect-error only the result of a successful turn has this member
  void message.result;
  if (message.subtype === 'success') {
    expectTypeOf(message).toEqualTypeOf<SDKResultSuccess>();
    expectTypeOf(message.result).toBeString();
  } else {
    expectTypeOf(message).toEqualTypeOf<SDKResultError | UnknownResultMessage>();
    expectTypeOf(message.errors).toEqualTypeOf<string[]>();
  }
}
if (message.type === 'system') {
  expectTypeOf(message.session_id).toBeString();
  if (message.subtype === 'init') {
    expectTypeOf(message).toEqualTypeOf<SDKSystemMessage>();
    expectTypeOf(message.tools).toEqualTypeOf<string[]>();
  }
}
if (message.type === 'system' && message.subtype === 'init') expectTypeOf(message.tools).toEqualTypeOf<string[]>();
if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
  const { delta } = message.event;
  if (delta.type === 'text_delta') expectTypeOf(delta.text).toBeString();
}

// The remaining messages are unknown: their type is a string, and their members are unknown.
function describe(said: AgentMessage): string {
  switch (said.type) {
    case 'assistant':
    case 'user':
    case 'stream_event':
    case 'result':
    case 'tool_progress':
    case 'tool_use_summary':
    case 'auth_status':
    case 'rate_limit_event':
    case 'prompt_suggestion':
    case 'conversation_reset':
    case 'active_goal':
    case 'command_lifecycle':
      return said.type;
    case 'system':
      if (said.subtype === 'status' || said.subtype === 'init') return said.subtype;
      expectTypeOf<UnknownSystemMessage>().toExtend<typeof said>();
      return said.subtype;
    default:
      expectTypeOf(said).toEqualTypeOf<UnknownMessage>();
      expectTypeOf(said['anything']).toBeUnknown();
      return said.type;
  }
}

// A message of the host is assignable to the message type of the wire.
expectTypeOf(describe).returns.toBeString();
expectTypeOf<AgentMessage>().toExtend<WireMessage>();

// The arguments of the host's callbacks are declared as well.
type Called<Name extends keyof HostSessionOptions> = Parameters<
  Extract<HostSessionOptions[Name], (...given: never) => unknown>
>[0];
expectTypeOf<Called<'onTranscriptMirror'>>().toEqualTypeOf<SDKTranscriptMirrorMessage>();
expectTypeOf<NonNullable<SessionState['last']>['result']>().toEqualTypeOf<SDKResultMessage | UnknownResultMessage>();
