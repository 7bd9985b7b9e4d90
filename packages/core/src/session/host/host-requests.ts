import type { accountUsageRequests, accountUsageResponses } from '../../messages/control/account-usage.ts';
import type { contextUsageRequests, contextUsageResponses } from '../../messages/control/context-usage.ts';
import type { fileRequests, fileResponses } from '../../messages/control/files.ts';
import type { hookRequests, hookResponses } from '../../messages/control/hooks.ts';
import type { initializeRequests, initializeResponses } from '../../messages/control/initialize.ts';
import type { mcpRequests, mcpResponses } from '../../messages/control/mcp.ts';
import type { modelRequests, modelResponses } from '../../messages/control/models.ts';
import type { permissionRequests, permissionResponses } from '../../messages/control/permissions.ts';
import type { pluginRequests, pluginResponses } from '../../messages/control/plugins.ts';
import type { sessionRequests, sessionResponses } from '../../messages/control/session.ts';
import type { settingsRequests, settingsResponses } from '../../messages/control/settings.ts';
import type { taskRequests, taskResponses } from '../../messages/control/tasks.ts';
import type { Infer } from '../../messages/schema.ts';
import type { RequestOptions } from '../pending-requests.ts';

type Requests = typeof accountUsageRequests &
  typeof contextUsageRequests &
  typeof fileRequests &
  typeof hookRequests &
  typeof initializeRequests &
  typeof mcpRequests &
  typeof modelRequests &
  typeof permissionRequests &
  typeof pluginRequests &
  typeof sessionRequests &
  typeof settingsRequests &
  typeof taskRequests;
type Responses = typeof accountUsageResponses &
  typeof contextUsageResponses &
  typeof fileResponses &
  typeof hookResponses &
  typeof initializeResponses &
  typeof mcpResponses &
  typeof modelResponses &
  typeof permissionResponses &
  typeof pluginResponses &
  typeof sessionResponses &
  typeof settingsResponses &
  typeof taskResponses;

/** A control request that hosts send, and whose members and answer are declared. */
export type HostRequestSubtype = Exclude<keyof Requests, 'can_use_tool' | 'hook_callback'>;

type Members<Subtype> = Subtype extends HostRequestSubtype
  ? Omit<Infer<Requests[Subtype]>, 'subtype'>
  : Readonly<Record<string, unknown>>;

/** The payload of the answer to a request of that subtype. Not checked, unless the request brings a schema. */
export type HostRequestAnswer<Subtype> = Subtype extends keyof Responses ? Infer<Responses[Subtype]> : unknown;

/** The members of a request of that subtype, where it has any, and how long it waits. */
export type HostRequestArguments<Subtype> =
  Partial<Members<Subtype>> extends Members<Subtype>
    ? [members?: Members<Subtype>, options?: RequestOptions<HostRequestAnswer<Subtype>>]
    : [members: Members<Subtype>, options?: RequestOptions<HostRequestAnswer<Subtype>>];
