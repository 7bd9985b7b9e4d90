import type { HostRequestSubtype, HostSession } from '@proto/host';
import type { ControlRequestSubtype, SDKControlInterruptResponse } from '@proto/core/messages';
import { expectTypeOf } from 'vitest';

declare const host: HostSession;

// The subtype gives the members of a request and its answer.
expectTypeOf(host.request('mcp_status')).resolves.toHaveProperty('mcpServers');
expectTypeOf(host.request('set_permission_mode', { mode: 'plan' })).resolves.toHaveProperty('mode');
expectTypeOf(host.request('get_context_usage', { detail: 'summary' }, { timeoutMs: 1 })).resolves.toHaveProperty(
  'totalTokens',
);
expectTypeOf(host.interrupt()).resolves.toExtend<SDKControlInterruptResponse>();
// @ts-expect-error a mode is required
void host.request('set_permission_mode', {});
// @ts-expect-error a mode is not a number
void host.request('set_permission_mode', { mode: 1 });
// @ts-expect-error members are required for a subtype with required members
void host.request('read_file');

// @ts-expect-error the type of the answer is not inferred from the variable
const wrong: Promise<{ plan: string }> = host.request('mcp_status');
void wrong;

// An undeclared request may be sent as well, and the caller names the type of the answer.
expectTypeOf(host.request('get_plan')).resolves.toBeUnknown();
expectTypeOf(host.request('get_plan', { any: 'thing' })).resolves.toBeUnknown();
expectTypeOf(host.request<{ plan: string }>('get_plan')).resolves.toEqualTypeOf<{ plan: string }>();
expectTypeOf(host.request('mcp_status' as string, { any: 'thing' })).resolves.toBeUnknown();
// Undeclared members may be sent as well.
expectTypeOf(host.request<{ mode: string }>('set_permission_mode', { mode: 'new' })).resolves.toHaveProperty('mode');

// Every declared request a host may send has its types.
expectTypeOf<HostRequestSubtype>().toExtend<ControlRequestSubtype>();
expectTypeOf<'initialize' | 'interrupt' | 'mcp_message' | 'background_tasks'>().toExtend<HostRequestSubtype>();
