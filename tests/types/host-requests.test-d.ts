import type { HostRequestSubtype, HostSession } from '@proto/host';
import type { ControlRequestSubtype, SDKControlInterruptResponse } from '@proto/core/messages';
import { expectTypeOf } from 'vitest';

declare const host: HostSession;

// Members and answers follow from the subtype.
expectTypeOf(host.request('mcp_status')).resolves.toHaveProperty('mcpServers');
expectTypeOf(host.request('set_permission_mode', { mode: 'plan' })).resolves.toHaveProperty('mode');
expectTypeOf(host.request('get_context_usage', { detail: 'summary' }, { timeoutMs: 1 })).resolves.toHaveProperty(
  'totalTokens',
);
expectTypeOf(host.interrupt()).resolves.toExtend<SDKControlInterruptResponse>();
// @ts-expect-error a mode is not left out
void host.request('set_permission_mode', {});
// @ts-expect-error nor is it a number
void host.request('set_permission_mode', { mode: 1 });
// @ts-expect-error members are not left out where there must be some
void host.request('read_file');

// @ts-expect-error what is assigned does not say what the answer is
const wrong: Promise<{ plan: string }> = host.request('mcp_status');
void wrong;

// What is not declared may be asked all the same, and the caller says what the answer is.
expectTypeOf(host.request('get_plan')).resolves.toBeUnknown();
expectTypeOf(host.request('get_plan', { any: 'thing' })).resolves.toBeUnknown();
expectTypeOf(host.request<{ plan: string }>('get_plan')).resolves.toEqualTypeOf<{ plan: string }>();
expectTypeOf(host.request('mcp_status' as string, { any: 'thing' })).resolves.toBeUnknown();
// So may members be that are not declared.
expectTypeOf(host.request<{ mode: string }>('set_permission_mode', { mode: 'new' })).resolves.toHaveProperty('mode');

// Every declared request a host may send has its types.
expectTypeOf<HostRequestSubtype>().toExtend<ControlRequestSubtype>();
expectTypeOf<'initialize' | 'interrupt' | 'mcp_message' | 'background_tasks'>().toExtend<HostRequestSubtype>();
