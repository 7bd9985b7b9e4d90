/** Makes an example of a message: the required members, with realistic values. */

/** @typedef {import('./read-schemas.mjs').Node} Node */

/** Example texts by the name of their member; the first pattern that fits counts. @type {readonly (readonly [RegExp, string])[]} */
const TEXTS = [
  [/^session_id$/, '1f0e1c4a-5b1d-4a53-9f0c-6f1f2a7c9b10'],
  [/uuid/, '5d0a3a8e-7d0f-4b0e-8a39-0c7d0d0f7a21'],
  [/^request_id$/, 'req_1'],
  [/^tool_use_id$|^toolUseID$/, 'toolu_1'],
  [/^task_id$/, 'task_1'],
  [/_id$|^id$/, 'id_1'],
  [/cwd|dir|path/i, '/home/user/project'],
  [/^model$|_model$/, 'claude-opus-4'],
  [/version/i, '2.1.0'],
  [/^url$|Url$/, 'https://example.com'],
  [/_at$|timestamp/, '2026-01-01T00:00:00.000Z'],
  [/^tool_name$|^tool$/, 'Bash'],
  [/server/i, 'files'],
  [/^command$/, 'ls'],
  [/name$/i, 'name'],
];

/** @param {Node} node @param {string} name of the member that it is the value of */
export function exampleOf(node, name = '') {
  switch (node.kind) {
    case 'string':
      return node.known?.[0] ?? TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'literal':
      return node.values[0];
    case 'nullable':
      return null;
    case 'array':
      return node.inner.kind === 'unknown' ? [] : [exampleOf(node.inner, name)];
    case 'union':
      return exampleOf(node.options[0], name);
    case 'kinds':
      return exampleOf(node.options[0]?.node, name);
    case 'object':
      return Object.fromEntries(
        node.members.filter(isShown).map((member) => [member.name, exampleOf(member.node, member.name)]),
      );
    default:
      return {};
  }
}

function isShown({ presence }) {
  return presence !== 'optional';
}
