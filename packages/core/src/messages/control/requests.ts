import type { Direction } from '../direction.ts';
import { object } from '../object-schema.ts';
import { type Infer, lazy, type LazySchema, type SchemaOf } from '../schema.ts';
import { openUnion } from '../union-schema.ts';
import { accountUsageRequests, accountUsageResponses } from './account-usage.ts';
import { contextUsageRequests, contextUsageResponses } from './context-usage.ts';
import { dialogRequests, dialogResponses } from './dialogs.ts';
import { fileRequests, fileResponses } from './files.ts';
import { hookRequests, hookResponses } from './hooks.ts';
import { initializeRequests, initializeResponses } from './initialize.ts';
import { mcpRequests, mcpResponses } from './mcp.ts';
import { modelRequests, modelResponses } from './models.ts';
import { permissionRequests, permissionResponses } from './permissions.ts';
import { pluginRequests, pluginResponses } from './plugins.ts';
import { sessionRequests, sessionResponses } from './session.ts';
import { settingsRequests, settingsResponses } from './settings.ts';
import { taskRequests, taskResponses } from './tasks.ts';
import { undeclaredAgentRequests, undeclaredHostRequests, undeclaredResponses } from './undeclared.ts';

/** Who sends a request. */
export type RequestDirection = Direction | 'both';

// Named, or each use would spell the whole table out again in the published types.
type Declared = typeof initializeRequests &
  typeof sessionRequests &
  typeof modelRequests &
  typeof permissionRequests &
  typeof hookRequests &
  typeof mcpRequests &
  typeof fileRequests &
  typeof pluginRequests &
  typeof taskRequests &
  typeof settingsRequests &
  typeof contextUsageRequests &
  typeof accountUsageRequests &
  typeof dialogRequests;
type All = Declared & typeof undeclaredHostRequests & typeof undeclaredAgentRequests;
type Responses = typeof initializeResponses &
  typeof sessionResponses &
  typeof modelResponses &
  typeof permissionResponses &
  typeof hookResponses &
  typeof mcpResponses &
  typeof fileResponses &
  typeof pluginResponses &
  typeof taskResponses &
  typeof settingsResponses &
  typeof contextUsageResponses &
  typeof accountUsageResponses &
  typeof dialogResponses &
  typeof undeclaredResponses;

const declared: Declared = {
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
const all: All = { ...declared, ...undeclaredHostRequests, ...undeclaredAgentRequests };

const OTHER_DIRECTIONS: Readonly<Record<string, RequestDirection>> = {
  can_use_tool: 'from-agent',
  hook_callback: 'from-agent',
  elicitation: 'from-agent',
  request_user_dialog: 'from-agent',
  mcp_message: 'both',
};

/** A request known here, declared or not. */
export type ControlRequestSubtype = keyof All;

/** The body of a request: one of those that are declared. */
export type SDKControlRequestInner = Infer<Declared[keyof Declared]>;

/** Every known request: who sends it, and the schema of its body. */
export const controlRequests = Object.fromEntries(
  Object.entries(all).map(([subtype, request]) => [subtype, { direction: directionOf(subtype), request }]),
) as {
  readonly [S in ControlRequestSubtype]: { readonly direction: RequestDirection; readonly request: All[S] };
};

/** The payload of each success. Those of undeclared requests, and of mere acknowledgements, may hold anything. */
export const controlResponses: Responses & Readonly<Record<ControlRequestSubtype, LazySchema<SchemaOf<unknown>>>> = {
  ...acknowledged(Object.keys(all) as ControlRequestSubtype[]),
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

/** Schema of the body of a request; a subtype not declared passes as it is. */
export const controlRequestInner: LazySchema<SchemaOf<SDKControlRequestInner>> = lazy(() =>
  openUnion('subtype', declared),
);

function directionOf(subtype: string): RequestDirection {
  return OTHER_DIRECTIONS[subtype] ?? (subtype in undeclaredAgentRequests ? 'from-agent' : 'from-host');
}

function acknowledged(subtypes: readonly ControlRequestSubtype[]) {
  const anything = lazy(() => object({}));
  return Object.fromEntries(subtypes.map((subtype) => [subtype, anything])) as Record<
    ControlRequestSubtype,
    typeof anything
  >;
}
