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

/** A request known here, declared or not. */
export type ControlRequestSubtype = keyof typeof controlRequests;

/** The requests that agents send, and those that both sides do. Hosts send all others. */
export const REQUESTS_OF_AGENTS: Readonly<Record<string, 'from-agent' | 'both'>> = {
  can_use_tool: 'from-agent',
  hook_callback: 'from-agent',
  elicitation: 'from-agent',
  request_user_dialog: 'from-agent',
  mcp_message: 'both',
  ...Object.fromEntries(Object.keys(undeclaredAgentRequests).map((subtype) => [subtype, 'from-agent' as const])),
};

/** The payload of a success, by the subtype of its request. Those of other requests, and of mere acknowledgements, may hold anything. */
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

/** The body of a request; a subtype not declared passes as it is. */
export const controlRequestInner = openUnion('subtype', Object.values(declared));
