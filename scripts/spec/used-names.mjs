// The names that the cases of the conformance suite use: what the suite passes to a program, sends to it and expects from it.
// Texts that a step sends unchanged (`say-text`, `say-bytes`, `text`) are not read, because most of them are not messages.

/** @typedef {'flag' | 'variable' | 'header' | 'path' | 'parameter' | 'value' | 'member' | 'call'} Kind */
/** @typedef {{ readonly kind: Kind, readonly name: string }} Name */
/** @typedef {{ readonly [name: string]: unknown }} Members */
/** @typedef {{ readonly id: string, readonly start: Members, readonly steps: readonly Members[] }} Case */

/** The members whose value is the name of a kind of message, of a hook event or of a method of MCP. */
const NAMING = new Set(['type', 'subtype', 'hook_event_name', 'hookEventName', 'event_type', 'method', 'error_code']);

/** The members whose content belongs to a tool, a form, a server or a user. The specification does not define what these members contain. */
const FREE = new Set(
  (
    'input updatedInput tool_input tool_response tool_use_result arguments answers requested_schema inputSchema jsonSchema ' +
    'structured_output variables headers external_metadata internal_metadata settings modelUsage'
  ).split(' '),
);

/** The members whose own members are names that a program chooses, such as names of servers. */
const MAPS = new Set([
  'mcpServers',
  'servers',
  'sdkMcpServerManifests',
  'sdkMcpServerConfigs',
  'agents',
  'toolAliases',
  'sdk_mcp_manifests_parked',
]);

/** The fields of a step that contain messages, bodies and patterns. */
const CONTENT = (
  'say request answer with error body post entry-members begin-turn end-turn reply pieces ' +
  'expect expect-all expect-none expect-never expect-handed-on until'
).split(' ');

/**
 * The names that a case uses, each once.
 * @param {Case} entry
 * @returns {readonly Name[]}
 */
export function usedNames({ start, steps }) {
  /** @type {Map<string, Name>} */
  const found = new Map();
  const note = (/** @type {Kind} */ kind, /** @type {string} */ name) =>
    void (name.includes('${') || found.set(`${kind} ${name}`, { kind, name }));
  noteStart(start, note);
  for (const step of stepsIn(steps)) {
    for (const field of ['start-again', 'run']) if (isMembers(step[field])) noteStart(step[field], note);
    noteAddresses(step, note);
    if (typeof step['call'] === 'string') note('call', step['call']);
    for (const [name, value] of Object.entries(membersOf(step['serve']))) {
      note('value', name.replace(/\/.*/, ''));
      noteContent(value, note);
    }
    for (const field of CONTENT) noteContent(step[field], note);
  }
  return [...found.values()];
}

/** @typedef {(kind: Kind, name: string) => void} Note */

/** @param {Members} start @param {Note} note */
function noteStart(start, note) {
  for (const argument of [start['args'], start['flags']].flat())
    if (typeof argument === 'string' && /^-(-[a-z]|[a-z]$)/.test(argument)) note('flag', argument.replace(/=.*/s, ''));
  for (const name of Object.keys(membersOf(start['env']))) note('variable', name);
  noteContent(start['initialize'], note);
  for (const answer of Object.values(membersOf(start['answers']))) noteContent(membersOf(answer)['value'], note);
}

/** @param {Members} step @param {Note} note */
function noteAddresses(step, note) {
  const [, address = ''] = typeof step['http'] === 'string' ? step['http'].split(' ') : [];
  const [path = '', query = ''] = address.split('?');
  if (path !== '') note('path', path.replace(/^\/v1\/code\/sessions\/[^/]+/, 'S').replaceAll(/\$\{[^}]*\}/g, 'ID'));
  const more = typeof step['query'] === 'string' ? step['query'].replace(/^\?/, '') : '';
  for (const field of ['headers', 'answer-headers'])
    for (const name of Object.keys(membersOf(step[field]))) note('header', name.toLowerCase());
  for (const part of [query, more]) for (const [name] of new URLSearchParams(part)) note('parameter', name);
}

/** @param {unknown} value @param {Note} note */
function noteContent(value, note) {
  if (Array.isArray(value)) for (const item of value) noteContent(item, note);
  if (!isMembers(value)) return;
  const isMatcher = Object.keys(value).some((name) => name.startsWith('$'));
  for (const [name, content] of Object.entries(value)) {
    if (isMatcher) {
      if (name.startsWith('$')) noteContent(content, note);
      continue;
    }
    note('member', name);
    if (NAMING.has(name)) for (const text of textsIn(content)) note('value', text);
    if (FREE.has(name) || isUndefinedByDesign(name) || isOfUser(name, value)) continue;
    if (MAPS.has(name) && isMembers(content)) noteContent(Object.values(content), note);
    else noteContent(content, note);
  }
}

/** Whether a member contains what a user has entered into a form or a dialog. @param {string} name @param {Members} parent */
function isOfUser(name, parent) {
  return (
    (name === 'content' && 'action' in parent) ||
    (name === 'result' && 'behavior' in parent) ||
    (name === 'payload' && 'dialog_kind' in parent)
  );
}

/**
 * Whether the form of a name shows that the name is deliberately not defined: it contains "no such" or "unknown", begins with `x_` or `x-`, or is a
 * name that every JavaScript object has, which programs must not confuse with a name of the protocol. What a member with such a name contains is not
 * defined either.
 * @param {string} name
 */
export function isUndefinedByDesign(name) {
  return /no[-_]?such|unknown|^(--)?x[-_]/i.test(name) || name in Object.prototype;
}

/** @param {unknown} value @returns {string[]} the value itself, or the alternatives of a pattern */
function textsIn(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isMembers(value) ? ['$one-of', '$not'].flatMap((name) => textsIn(value[name])) : [];
}

/** @param {readonly unknown[]} steps @returns {Members[]} */
function stepsIn(steps) {
  return steps
    .filter(isMembers)
    .flatMap((step) => [step, ...stepsIn([step['steps'] ?? [], step['at-once'] ?? []].flat())]);
}

/** @param {unknown} value @returns {Members} */
function membersOf(value) {
  return isMembers(value) ? value : {};
}

/** @param {unknown} value @returns {value is Members} */
function isMembers(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
