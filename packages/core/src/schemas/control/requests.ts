import { accountUsageRequests, accountUsageResponses } from './account-usage.ts';
import { contextUsageRequests, contextUsageResponses } from './context-usage.ts';
import { dialogRequests, dialogResponses } from './dialogs.ts';
import { fileRequests, fileResponses } from './files.ts';
import { hookRequests, hookResponses } from './hooks.ts';
import { initializeRequests, initializeResponses } from './initialize.ts';
import { mcpRequests, mcpResponses } from './mcp.ts';
import { modelRequests, modelResponses, settingsRequests, settingsResponses } from './settings.ts';
import { permissionRequests, permissionResponses } from './permissions.ts';
import { pluginRequests, pluginResponses } from './plugins.ts';
import { sessionRequests, sessionResponses } from './session.ts';
import { taskRequests, taskResponses } from './tasks.ts';
import { undeclaredAgentRequests, undeclaredHostRequests, undeclaredResponses } from './undeclared.ts';
import { openUnion } from '../open.ts';

const declared = {
  ...initializeRequests,
  ...sessionRequests,
  ...modelRequests,
  ...permissionRequests,
  ...hookRequests,
  ...mcpRequests,
  ...fileRequests,
  ...pluginRequests,
  ...taskRequests,
  ...settingsRequests,
  ...contextUsageRequests,
  ...accountUsageRequests,
  ...dialogRequests,
};

/** The body of every known request, by its subtype. */
export const controlRequests = { ...declared, ...undeclaredHostRequests, ...undeclaredAgentRequests };

/** The subtype of a known request, declared or not. */
export type ControlRequestSubtype = keyof typeof controlRequests;

/** The requests that only agents send, and the requests that both sides send. All other requests are sent only by hosts. */
export const REQUESTS_OF_AGENTS: Readonly<Record<string, 'from-agent' | 'both'>> = {
  can_use_tool: 'from-agent',
  hook_callback: 'from-agent',
  elicitation: 'from-agent',
  request_user_dialog: 'from-agent',
  mcp_message: 'both',
  ...Object.fromEntries(Object.keys(undeclaredAgentRequests).map((subtype) => [subtype, 'from-agent' as const])),
};

/** The payload of a success, by the subtype of its request. The answer to any other request, and an acknowledgement, may contain anything. */
export const controlResponses = {
  ...initializeResponses,
  ...sessionResponses,
  ...modelResponses,
  ...permissionResponses,
  ...hookResponses,
  ...mcpResponses,
  ...fileResponses,
  ...pluginResponses,
  ...taskResponses,
  ...settingsResponses,
  ...contextUsageResponses,
  ...accountUsageResponses,
  ...dialogResponses,
  ...undeclaredResponses,
};

/** The body of a request. A body with an undeclared subtype is accepted unchanged. */
export const controlRequestInner = openUnion('subtype', Object.values(declared));
