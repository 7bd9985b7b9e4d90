// The JSON Schemas in spec/schema: the messages of each direction, and for each section what the section describes. They are derived from the schemas
// of @proto/core and from the description of the server in docs/openapi.json.
import { readFileSync } from 'node:fs';

/** @typedef {{ [name: string]: unknown }} Members */

const MESSAGES = 'SDKAssistantMessage SDKPartialAssistantMessage SDKUserMessage SDKResultSuccess SDKResultError';
const CONTROL = 'SDKControlResponse SDKControlCancelRequest SDKControlInitializeRequest SDKControlInitializeResponse';
const TURNS =
  'SDKUserMessage SDKUserMessageReplay SDKSystemMessage SDKCommandLifecycleMessage SDKSessionStateChangedMessage SDKAPIRetryMessage SDKConversationResetMessage SDKTranscriptMirrorMessage';
const PERMISSIONS =
  'SDKControlPermissionRequest PermissionResult PermissionUpdate SDKPermissionDeniedMessage SDKControlSetPermissionModeRequest SDKControlSetPermissionModeResponse SDKStatusMessage';
const MCP =
  'SDKControlMcpMessageRequest SDKControlMcpMessageResponse SDKControlMcpStatusResponse SDKControlMcpSetServersRequest McpSetServersResult SDKControlMcpToggleRequest SDKControlMcpReconnectRequest SDKControlElicitationRequest ElicitationResult SDKControlRequestUserDialogRequest UserDialogResult';
const TASKS =
  'SDKControlInterruptRequest SDKControlInterruptResponse SDKControlCancelAsyncMessageRequest SDKControlCancelAsyncMessageResponse SDKTaskStartedMessage SDKTaskProgressMessage SDKTaskUpdatedMessage SDKTaskNotificationMessage SDKBackgroundTasksChangedMessage SDKControlStopTaskRequest SDKControlGetTaskOutputRequest SDKControlGetTaskOutputResponse SDKToolProgressMessage';

/** What each section describes: names in the schemas of the messages, or in the description of the server. */
const PARTS = {
  '02-messages': `${MESSAGES} SDKUpdateEnvironmentVariablesMessage`,
  '03-control': CONTROL,
  '04-turns-and-sessions': TURNS,
  '05-permissions': PERMISSIONS,
  '06-hooks': 'SDKHookCallbackMatcher SDKHookCallbackRequest HookInput HookJSONOutput',
  '07-mcp': MCP,
  '08-interrupts-and-tasks': TASKS,
  '10-remote-sessions': 'Event CreatedSession DeliveryMarks',
  '11-event-streams': 'ClientEvents ClientResults WorkerEvents WorkerResults EventList',
  '14-worker-lease':
    'Credentials Renewal WorkerEpoch WorkerState WorkerReport WorkerEpochBody Heartbeat InternalEvents InternalPage',
  '15-errors': 'Error',
};

/** Members that one server adds, and that this specification does not define. */
const ADDED = { Event: ['sender'], EventList: ['last_sequence_num', 'missing'] };

/** The folder of the schemas, in the folder of the specification. */
export const SCHEMAS = 'schema';

/** @returns {ReadonlyMap<string, string>} The text of each schema, by the name of its file. */
export function schemaFiles() {
  return new Map(
    Array.from(schemas(), ([name, schema]) => [`${SCHEMAS}/${name}`, `${JSON.stringify(schema, null, 1)}\n`]),
  );
}

/** The sections that do not link their schema: one sentence each. @param {(page: string) => string} textOf @returns {string[]} */
export function unlinkedSchemas(textOf) {
  return Object.keys(PARTS)
    .filter((section) => !textOf(`${section}.md`).includes(`(${SCHEMAS}/${section}.json)`))
    .map((section) => `${section}.md has to link ${SCHEMAS}/${section}.json.`);
}

/** @returns {ReadonlyMap<string, Members>} */
function schemas() {
  const [agent, host] = ['from-agent', 'from-host'].map((name) => read(`packages/core/json-schema/${name}.json`));
  const { components } = /** @type {{ components: { schemas: Members } }} */ (read('docs/openapi.json'));
  const server = JSON.parse(JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/'));
  for (const [name, members] of Object.entries(ADDED))
    for (const member of members) delete server[name].properties[member];
  const known = { ...server, ...defsOf(host), ...defsOf(agent) };
  const parts = Object.entries(PARTS).map(([section, names]) => {
    const $defs = closure(names.split(' '), known);
    const anyOf = names.split(' ').map((name) => ({ $ref: `#/$defs/${name}` }));
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    return /** @type {const} */ ([`${section}.json`, { $schema, title: titleOf(section), anyOf, $defs }]);
  });
  return new Map([['from-agent.json', agent ?? {}], ['from-host.json', host ?? {}], ...parts]);
}

/** The named schemas, and all that they refer to, in the order of their names. @param {readonly string[]} names @param {Members} known @returns {Members} */
function closure(names, known) {
  /** @type {Map<string, unknown>} */
  const found = new Map();
  const add = (/** @type {string} */ name) => {
    if (found.has(name)) return;
    if (known[name] === undefined) throw new Error(`No schema has the name ${name}.`);
    found.set(name, known[name]);
    for (const [, other = ''] of JSON.stringify(known[name]).matchAll(/"#\/\$defs\/(\w+)"/g)) add(other);
  };
  for (const name of names) add(name);
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** @param {string} section */
function titleOf(section) {
  return `Section ${Number(section.slice(0, 2))} of the stream-json agent protocol`;
}

/** @param {Members | undefined} schema @returns {Members} */
function defsOf(schema) {
  return /** @type {{ $defs?: Members }} */ (schema)?.$defs ?? {};
}

/** @param {string} path @returns {Members} */
function read(path) {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
}
