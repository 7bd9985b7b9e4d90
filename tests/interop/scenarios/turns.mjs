// Turns, prompts and interrupts.
import { query } from '@anthropic-ai/claude-agent-sdk';
import { collect, collectToEnd, options, pieceOf, prompts } from './host.mjs';

export const turns = {
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

  async 'prompts that wait'() {
    const input = prompts();
    input.add('/slow 1');
    let pieces = 0;
    return collect(
      query({ prompt: input, options: { ...options, includePartialMessages: true } }),
      async (message, seen) => {
        if (pieceOf(message) !== '' && ++pieces === 3) for (const text of ['/echo two', '/echo three']) input.add(text);
        if (seen.filter(({ type }) => type === 'result').length === 2) input.end();
      },
    );
  },

  async 'a prompt while a tool runs'() {
    const input = prompts();
    input.add('/ask Which?|A|B');
    const canUseTool = async (_, asked) => {
      input.add('/echo folded');
      // The answer to this request shows that the prompt has arrived.
      await running.mcpServerStatus();
      return { behavior: 'allow', updatedInput: { ...asked, answers: { 'Which?': 'A' } } };
    };
    const running = query({ prompt: input, options: { ...options, canUseTool } });
    return collect(running, (message) => {
      if (message.type === 'result') input.end();
    });
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

  async 'an interrupt of nothing'() {
    const input = prompts();
    const running = query({ prompt: input, options });
    input.add('/echo one');
    const receipts = [];
    const seen = await collect(running, async (message, all) => {
      if (message.type !== 'result') return;
      receipts.push(await running.interrupt());
      if (all.filter(({ type }) => type === 'result').length === 1) input.add('/echo two');
      else input.end();
    });
    return [{ type: 'reported', reported: receipts }, ...seen];
  },

  async 'two interrupts, and no prompt after them'() {
    const input = prompts();
    input.add('/slow 60');
    const running = query({ prompt: input, options: { ...options, includePartialMessages: true } });
    let reported;
    const seen = await collectToEnd(running, async (message) => {
      if (pieceOf(message) !== '') reported ??= await Promise.all([running.interrupt(), running.interrupt()]);
      if (message.type === 'result') input.end();
    });
    return [{ type: 'reported', reported }, ...seen];
  },

  async abort() {
    const abortController = new AbortController();
    const running = query({
      prompt: '/slow 60',
      options: { ...options, includePartialMessages: true, abortController },
    });
    return collectToEnd(running, async (message) => {
      if (pieceOf(message) !== '') abortController.abort();
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
      // The same prompt does not run a second turn, so no more messages arrive.
      input.add('/echo once', { uuid });
      input.end();
    });
  },

  async 'initialization result'() {
    const running = query({ prompt: '/echo hello', options });
    const { commands, output_style } = await running.initializationResult();
    await collect(running);
    return [{ commands, output_style }];
  },
};
