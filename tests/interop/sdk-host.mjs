// A host program as users write them, on the published SDK: `node sdk-host.mjs SCENARIO AGENT`. Prints what it saw as one JSON
// value, and never calls process.exit: it has to end by itself.
import { fileURLToPath } from 'node:url';
import { query } from '@anthropic-ai/claude-agent-sdk';

const [scenario, pathToClaudeCodeExecutable] = process.argv.slice(2);
const options = { pathToClaudeCodeExecutable };

const user = (text, members) => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
  session_id: '',
  ...members,
});
const pieceOf = ({ type, event }) =>
  type === 'stream_event' && event.delta?.type === 'text_delta' ? event.delta.text : '';

/** Prompts that are added while the query runs. */
function prompts() {
  const waiting = [];
  let wake = () => {};
  let ended = false;
  return {
    add(text, members) {
      waiting.push(user(text, members));
      wake();
    },
    /** With one prompt, and ended. */
    with(text) {
      this.add(text);
      this.end();
      return this;
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift();
        if (ended) return;
        await new Promise((resolve) => (wake = resolve));
      }
    },
  };
}

async function collect(messages, onMessage = async () => {}) {
  const seen = [];
  for await (const message of messages) {
    seen.push(message);
    await onMessage(message, seen);
  }
  return seen;
}

const SCENARIOS = {
  'one-shot': () => collect(query({ prompt: '/echo hello world', options })),

  'partial messages': () =>
    collect(query({ prompt: '/echo a b c', options: { ...options, includePartialMessages: true } })),

  async 'multi-turn'() {
    const input = prompts();
    const texts = ['/echo two', 'three'];
    input.add('/echo one');
    return collect(query({ prompt: input, options }), (message) => {
      if (message.type !== 'result') return;
      const next = texts.shift();
      if (next === undefined) input.end();
      else input.add(next);
    });
  },

  async 'prompts at once'() {
    const input = prompts();
    for (const text of ['/echo one', '/echo two', '/echo three']) input.add(text);
    input.end();
    return collect(query({ prompt: input, options }));
  },

  async interrupt() {
    const input = prompts();
    input.add('/slow 60');
    const running = query({ prompt: input, options: { ...options, includePartialMessages: true } });
    let pieces = 0;
    return collect(running, async (message) => {
      if (pieceOf(message) !== '' && ++pieces === 5) await running.interrupt();
      if (message.subtype === 'error_during_execution') input.add('/echo still here');
      if (message.subtype === 'success') input.end();
    });
  },

  async close() {
    const running = query({ prompt: '/slow 60', options: { ...options, includePartialMessages: true } });
    let pieces = 0;
    return collect(running, (message) => {
      if (pieceOf(message) !== '' && ++pieces === 5) running.close();
    });
  },

  async 'leaving the loop'() {
    const seen = [];
    for await (const message of query({ prompt: '/slow 60', options: { ...options, includePartialMessages: true } })) {
      seen.push(message);
      if (seen.length === 5) break;
    }
    return seen;
  },

  'a permission that is given'() {
    const canUseTool = async (_, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which?': 'B' } },
    });
    return collect(query({ prompt: prompts().with('/ask Which?|A|B'), options: { ...options, canUseTool } }));
  },

  'a permission that is refused'() {
    const canUseTool = async () => ({ behavior: 'deny', message: 'not today' });
    return collect(query({ prompt: prompts().with('/ask Which?|A|B'), options: { ...options, canUseTool } }));
  },

  'a permission callback that throws'() {
    const canUseTool = async () => {
      throw new Error('out of order');
    };
    return collect(query({ prompt: prompts().with('/ask Which?|A|B'), options: { ...options, canUseTool } }));
  },

  async 'an interrupt while a permission is asked for'() {
    const input = prompts();
    input.add('/ask Which?|A|B');
    let withdrawn = false;
    const canUseTool = (_, __, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn = true;
          resolve({ behavior: 'deny', message: 'too late' });
        });
        void running.interrupt();
      });
    const running = query({ prompt: input, options: { ...options, canUseTool } });
    const seen = await collect(running, (message) => {
      if (message.subtype === 'error_during_execution') input.add('/echo still here');
      if (message.subtype === 'success') input.end();
    });
    return [{ type: 'withdrawn', withdrawn }, ...seen];
  },

  async settings() {
    const input = prompts();
    const running = query({ prompt: input, options });
    const servers = await running.mcpServerStatus();
    await running.setPermissionMode('plan');
    await running.setModel('another');
    input.add('/echo one');
    const seen = await collect(running, async (message, all) => {
      if (message.type !== 'result') return;
      if (all.filter(({ type }) => type === 'result').length > 1) return input.end();
      await running.setModel();
      input.add('/echo two');
    });
    return [{ servers }, ...seen];
  },

  async 'prompts with an id'() {
    const input = prompts();
    const uuid = '00000000-0000-4000-8000-000000000001';
    const running = query({ prompt: input, options });
    input.add('/echo once', { uuid });
    return collect(running, (message) => {
      if (message.type !== 'result') return;
      // The same prompt again is no second turn, so nothing more comes.
      input.add('/echo once', { uuid });
      input.end();
    });
  },

  async 'a session that goes on'() {
    const ask = (prompt, further) => collect(query({ prompt, options: { ...options, ...further } }));
    const first = await ask('/echo one');
    const { session_id: resume } = first.at(-1);
    const resumed = await ask('/echo two', { resume });
    const forked = await ask('/echo three', { resume, forkSession: true });
    const continued = await ask('/echo four', { continue: true });
    return [...first, ...resumed, ...forked, ...continued];
  },

  async 'a session that is not there'() {
    const seen = [];
    const resume = '00000000-0000-4000-8000-000000000000';
    try {
      for await (const message of query({ prompt: '/echo one', options: { ...options, resume } })) seen.push(message);
    } catch (error) {
      seen.push({ type: 'thrown', result: error.message });
    }
    return seen;
  },

  "an agent of a user's own"() {
    const module = fileURLToPath(new URL('own-agent.mjs', import.meta.url));
    return collect(query({ prompt: 'hello', options: { ...options, maxTurns: 3, extraArgs: { module } } }));
  },

  async 'initialization result'() {
    const running = query({ prompt: '/echo hello', options });
    const { commands, output_style } = await running.initializationResult();
    await collect(running);
    return [{ commands, output_style }];
  },
};

process.stdout.write(JSON.stringify(await SCENARIOS[scenario]()));
