import type { AgentOptions } from '@proto/agent';

/** What the agent's own rules say of a call: yes, no, or that somebody is to be asked. */
export type LocalPermission = Awaited<ReturnType<NonNullable<AgentOptions['localPermissionCheck']>>>;

/** Changes of the rules, as they come with a permission. */
export type PermissionUpdates = Parameters<NonNullable<AgentOptions['applyPermissionUpdates']>>[0];
