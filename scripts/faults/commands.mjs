// One-line faults of the commands that use a network; see ../faults.mjs. Their tests are named: those that run built programs find none.

const serve = 'packages/cli/src/serve';
const worker = 'packages/cli/src/worker';
const connect = 'packages/cli/src/connect';
const agents = [`${serve}/session-agents.test.ts`];

/** @type {readonly import('./fault.mjs').Fault[]} */
export const commands = [
  {
    id: 'commands/serve-hides-the-death',
    file: `${worker}/with-last-words.ts`,
    line: 'yield words(await transport.closed).map((message) => incomingOf(message));',
    becomes: 'words(await transport.closed);',
    tests: agents,
  },
  {
    id: 'commands/serve-leaves-questions-open',
    file: `${worker}/agent-watch.ts`,
    line: "const cancels = Array.from(asked.keys(), (request_id) => ({ type: 'control_cancel_request', request_id }));",
    becomes: 'const cancels: WireMessage[] = [];',
    tests: agents,
  },
  {
    id: 'commands/serve-restarts-for-ever',
    file: `${worker}/session-agent.ts`,
    line: 'return this.#failures < this.#options.restart.maxAttempts;',
    becomes: 'return this.#options.restart.maxAttempts > 0;',
    tests: agents,
  },
  {
    id: 'commands/serve-forgets-the-conversation',
    file: `${worker}/session-agent.ts`,
    line: 'if (watch.results > 0) this.#conversation = watch.conversation;',
    becomes: '',
    tests: agents,
  },
  {
    id: 'commands/serve-forgets-the-hooks',
    file: `${worker}/session-agent.ts`,
    line: 'this.#initialize = watch.initialize ?? this.#initialize;',
    becomes: '',
    tests: agents,
  },
  {
    id: 'commands/serve-stops-a-turn',
    file: `${worker}/session-agent.ts`,
    line: 'const timer = setTimeout(() => (watch.isIdle ? this.stop() : timer.refresh()), idleTimeoutMs);',
    becomes: 'const timer = setTimeout(() => this.stop(), idleTimeoutMs);',
    tests: agents,
  },
  {
    id: 'commands/serve-listens-to-all',
    file: `${serve}/serve-plan.ts`,
    line: 'if (!isLoopback(address.hostname) && options.dangerouslyListenOnNetwork !== true) {',
    becomes: 'if (address.hostname === undefined) {',
    tests: [`${serve}/flags.test.ts`],
  },
  {
    id: 'commands/connect-reads-behind-a-gap',
    file: `${connect}/read-session.ts`,
    line: 'if (count < items.length) return;',
    becomes: '',
    tests: [`${connect}/read-session.test.ts`],
  },
  {
    id: 'commands/connect-leaves-too-early',
    file: `${connect}/own-turns.ts`,
    line: "const isWaiting = () => follower.state.session !== 'idle' || follower.state.tasks.length > 0 || requests.size > 0;",
    becomes: "const isWaiting = () => follower.state.session !== 'idle' || requests.size > 0;",
    tests: [`${connect}/own-turns.test.ts`],
  },
  {
    id: 'commands/demo-counts-no-order',
    file: 'packages/cli/src/demo/tally.ts',
    line: 'const isBehind = place < last;',
    becomes: 'const isBehind = false;',
    tests: ['packages/cli/src/demo/tally.test.ts'],
  },
  {
    id: 'commands/demo-misses-a-loss',
    file: 'packages/cli/src/demo/tally.ts',
    line: 'lost: [...missing(prompts, answered), ...missing(said, seen)],',
    becomes: 'lost: [...missing(prompts, answered)],',
    tests: ['packages/cli/src/demo/tally.test.ts'],
  },
];
