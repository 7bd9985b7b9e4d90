// One-line faults of the shim; see ../faults.mjs.

/** @type {readonly import('./fault.mjs').Fault[]} */
export const shim = [
  {
    id: 'shim/leaves-rules-behind',
    file: 'packages/cli/src/shim/travelling.ts',
    line: 'deny: [...deny, ...(disallowedTools ?? [])],',
    becomes: 'deny: [...deny],',
    tests: ['packages/cli/src/shim/travelling.test.ts'],
  },
  {
    id: 'shim/any-server-s-session',
    file: 'packages/cli/src/shim/remote-sessions.ts',
    line: 'find: (conversation, base) => last((entry) => entry.conversation === conversation && entry.base === base),',
    becomes: 'find: (conversation) => last((entry) => entry.conversation === conversation),',
    tests: ['packages/cli/src/shim/remote-sessions.test.ts'],
  },
  {
    id: 'reference-agent/settings-forbid-nothing',
    file: 'packages/reference-agent/src/permissions/permissions.ts',
    line: '[...rules[behavior], ...further[behavior]].find((rule) =>',
    becomes: 'rules[behavior].find((rule) =>',
    tests: ['packages/reference-agent/src/permissions/settings-rules.test.ts'],
  },
];
