// One-line faults of what a host does over several turns, and before and after them; see ../faults.mjs.

const SESSION = 'packages/core/src/session/host-session.ts';
const TRACKER = 'packages/core/src/session/host/session-tracker.ts';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const hostTurns = [
  {
    id: 'host-turns/prompts-share-an-id',
    file: 'packages/core/src/session/host/host-input.ts',
    line: 'const { uuid = uuids.next() } = members as { readonly uuid?: string };',
    becomes: "const { uuid = 'prompt' } = members as { readonly uuid?: string };",
    rows: ['S4-07'],
  },
  {
    id: 'host-turns/shows-what-is-for-the-host',
    file: 'packages/core/src/session/host/message-reader.ts',
    line: "return type === 'transcript_mirror' || hostOnly === true;",
    becomes: "return type === 'transcript_mirror' && hostOnly === true;",
    rows: ['S4-08'],
  },
  {
    id: 'host-turns/hook-without-its-timeout',
    file: 'packages/core/src/session/host/hooks.ts',
    line: '...(timeoutMs !== undefined && { timeout: timeoutMs / 1000 }),',
    becomes: '...(timeoutMs !== undefined && { timeout: timeoutMs }),',
    rows: ['S4-14'],
  },
  {
    id: 'host-turns/ends-input-with-tasks',
    file: 'packages/core/src/session/host/input-end.ts',
    line: 'return promptsEnded && openRequests === 0 && isIdle && backgroundTasks === 0;',
    becomes: 'return promptsEnded && openRequests === 0 && isIdle;',
    rows: ['R-3.1'],
  },
  {
    id: 'host-turns/ends-input-at-the-result',
    file: SESSION,
    line: "isIdle: this.state.session === 'idle' || this.#isMute(),",
    becomes: 'isIdle: true,',
    rows: ['R-3.2'],
  },
  {
    id: 'host-turns/never-drains',
    file: SESSION,
    line: "if (pending === 'drain') {",
    becomes: 'if (false) {',
    rows: ['R-3.3'],
  },
  {
    id: 'host-turns/interrupt-always-accepted',
    file: SESSION,
    line: "if (this.state.session !== 'idle') outcome = 'accepted';",
    becomes: "outcome = 'accepted';",
    rows: ['R-17.1'],
  },
  {
    id: 'host-turns/interrupt-too-early',
    file: SESSION,
    line: 'await this.initialized.catch(() => {});',
    becomes: '',
    rows: ['R-17.2'],
  },
  {
    id: 'host-turns/forgets-queued-turns',
    file: TRACKER,
    line: "isInTurn: typeof queued === 'number' && queued > 0,",
    becomes: 'isInTurn: false,',
    rows: ['R-9.1'],
  },
  {
    id: 'host-turns/subagent-is-a-turn',
    file: TRACKER,
    line: "return state.isInTurn || message['isReplay'] === true || typeof message['parent_tool_use_id'] === 'string'",
    becomes: "return state.isInTurn || message['isReplay'] === true",
    rows: ['R-9.2'],
  },
  {
    id: 'host-turns/text-twice',
    file: 'packages/core/src/session/host/text-assembler.ts',
    line: 'if (given.startsWith(text)) {',
    becomes: 'if (given === `${text} `) {',
    rows: ['R-35.1'],
  },
  {
    id: 'host-turns/result-is-no-end',
    file: 'packages/core/src/session/host/stream-report.ts',
    line: "if (!pending.delete(toolUseId)) extra.push({ code: 'extra-tool-result', toolUseId });",
    becomes: "if (!pending.has(toolUseId)) extra.push({ code: 'extra-tool-result', toolUseId });",
    rows: ['S4-24'],
  },
  {
    id: 'host-turns/lists-as-json',
    file: 'packages/core/src/session/host/launch.ts',
    line: "const text = Array.isArray(value) ? value.join() : typeof value === 'string' ? value : JSON.stringify(value);",
    becomes: "const text = typeof value === 'string' ? value : JSON.stringify(value);",
    rows: ['S4-25'],
  },
  {
    id: 'host-turns/stays-connected',
    file: 'packages/core/src/session/host/query.ts',
    line: 'await host.close().catch(() => {});',
    becomes: '',
    rows: ['S4-11'],
  },
  {
    id: 'host-turns/only-messages-are-life',
    file: 'packages/core/src/session/host/watchdog.ts',
    line: 'const heardAt = Math.max(this.#since, lastByteAt, lastMessageAt);',
    becomes: 'const heardAt = Math.max(this.#since, lastMessageAt);',
    rows: ['R-29.1'],
  },
  {
    id: 'host-turns/servers-unannounced',
    file: 'packages/core/src/session/host/query.ts',
    line: '...((initialize?.mcpServers ?? initialize?.plugins) && { awaitInitialize: true }),',
    becomes: '',
    rows: ['R-21.1'],
  },
];
