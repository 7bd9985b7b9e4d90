import type { AgentOptions } from '@proto/agent';
import { type ControlRequest, createSession, type RequestHandler, type SessionOptions } from '@proto/core';
import type {
  PermissionResult,
  SDKControlInitializeRequest,
  SDKControlPermissionRequest,
  SDKControlSetModelRequest,
} from '@proto/core/messages';
import type { Transport } from '@proto/core/transport';
import { createHostSession, type HostRequestSubtype, type HostSessionOptions } from '@proto/host';
import { expectTypeOf } from 'vitest';

declare const transport: Transport;

// The subtype of a handler gives the members of its request and the type of its answer. Undeclared subtypes have no known members.
createSession(transport, {
  handlers: {
    can_use_tool(request, { signal }) {
      expectTypeOf(request).toEqualTypeOf<SDKControlPermissionRequest>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return { behavior: 'allow', updatedInput: request.input };
    },
    set_model: async (request) => {
      expectTypeOf(request).toEqualTypeOf<SDKControlSetModelRequest>();
      return { model: request.model ?? 'default' };
    },
    get_plan(request) {
      expectTypeOf(request).toEqualTypeOf<ControlRequest>();
      return { plan: request['any'] };
    },
  },
});
createSession(transport, {
  handlers: {
    // @ts-expect-error the member is called `behavior`
    can_use_tool: () => ({ behaviour: 'allow' }),
  },
});
createHostSession(transport, {
  handlers: {
    can_use_tool: ({ tool_name }) => ({ behavior: 'deny', message: `not ${tool_name.toUpperCase()}` }),
    oauth_token_refresh: () => ({ token: null }),
  },
});
const agent: Pick<AgentOptions, 'handlers'> = {
  handlers: {
    initialize(request) {
      expectTypeOf(request).toEqualTypeOf<SDKControlInitializeRequest>();
      throw new Error(request.systemPrompt?.[0]);
    },
    get_plan: ({ any }) => any,
  },
};
void agent;

// A handler for any request may serve a declared subtype.
const any: RequestHandler = ({ subtype }) => ({ subtype });
const served: Readonly<Record<string, RequestHandler>> = { any, can_use_tool: any };
createSession(transport, { handlers: served });

// The handlers of both sides have the same types.
expectTypeOf<HostSessionOptions['handlers']>().toEqualTypeOf<SessionOptions['handlers']>();
expectTypeOf<AgentOptions['handlers']>().toEqualTypeOf<NonNullable<SessionOptions['handlers']> | undefined>();
expectTypeOf<HostRequestSubtype>().toExtend<keyof NonNullable<SessionOptions['handlers']>>();

// A request of a session or a turn is an object with its subtype.
const session = createSession(transport);
const ask = { tool_name: 'Bash', input: {}, tool_use_id: 'T' };
expectTypeOf(session.request({ subtype: 'can_use_tool', ...ask })).resolves.toEqualTypeOf<PermissionResult>();
expectTypeOf(session.pending.request({ subtype: 'mcp_status' })).resolves.toHaveProperty('mcpServers');
expectTypeOf(session.request({ subtype: 'get_plan', any: 'thing' })).resolves.toBeUnknown();
expectTypeOf(session.request<{ plan: string }>({ subtype: 'get_plan' })).resolves.toHaveProperty('plan');
expectTypeOf(session.request<unknown>({ subtype: 'can_use_tool' })).resolves.toBeUnknown();
// @ts-expect-error the call is required
void session.request({ subtype: 'can_use_tool' });
