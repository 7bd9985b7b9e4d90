// One-line faults of the worker of a remote session; see ../faults.mjs.

const source = 'packages/transport-sse/src';
const tests = [`${source}/worker/worker-transport.test.ts`];

const agent = 'packages/core/src/session/agent';
const headless = 'packages/headless/src/remote';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const worker = [
  {
    id: 'worker/early-events-are-not-acknowledged',
    file: `${source}/worker/worker-frames.ts`,
    line: "if (typeof id === 'string') this.#options.onReceived(id);",
    becomes: '',
    rows: ['S2-52'],
  },
  {
    id: 'worker/conflict-with-itself-is-the-end',
    file: `${source}/worker/worker-requests.ts`,
    line: 'const isOwn = token !== undefined && (await this.#requests.credential?.isOutdated(token)) === true;',
    becomes: 'const isOwn = false;',
    tests,
  },
  {
    id: 'worker/says-increments-twice',
    file: `${source}/post-queue.ts`,
    line: 'left = left.filter(({ ephemeral }) => !ephemeral);',
    becomes: '',
    tests,
  },
  {
    id: 'worker/cancelled-prompts-come-again',
    file: `${agent}/worker-duties.ts`,
    line: "if (state !== 'queued') this.#link.reportDelivery(uuid, state === 'started' ? 'processing' : 'processed');",
    becomes: "if (state === 'started') this.#link.reportDelivery(uuid, 'processing');",
    rows: ['S2-55'],
  },
  {
    id: 'worker/idle-before-it-is-kept',
    file: `${agent}/agent-turns.ts`,
    line: 'if (kept !== undefined) await kept;',
    becomes: '',
    rows: ['S2-81'],
  },
  {
    id: 'worker/leaves-the-old-question',
    file: `${agent}/worker-duties.ts`,
    line: 'this.#link.reportMetadata({ pending_action: prompt ? { ...action, input: prompt.input } : null });',
    becomes: 'if (prompt) this.#link.reportMetadata({ pending_action: { ...action, input: prompt.input } });',
    rows: ['S2-56'],
  },
  {
    id: 'worker/mixes-subagents',
    file: `${headless}/worker-session.ts`,
    line: 'rows.append(message.type, entryOf(message, place), isSidechain ? { session_agent_id: agentID } : {});',
    becomes: 'rows.append(message.type, entryOf(message, place));',
    rows: ['S2-82'],
  },
  {
    id: 'worker/file-is-read-once',
    file: `${headless}/access-tokens.ts`,
    line: "const text = file !== undefined && !refreshed ? await readFile(file, 'utf8') : (given ?? '');",
    becomes: "const text = given ?? '';",
    rows: ['R-12.4'],
  },
  {
    id: 'worker/loser-is-not-told',
    file: 'packages/headless/src/mirror/mirror.ts',
    line: "this.#tellOther(side, { type: 'control_cancel_request', request_id: requestId });",
    becomes: '',
    rows: ['S2-84'],
  },
  {
    id: 'worker/new-attachment-is-told-nothing',
    file: `${source}/worker/seat.ts`,
    line: 'if (epoch > last) this.#options.onChange((this.#epoch = epoch));',
    becomes: '',
    tests,
  },
];
