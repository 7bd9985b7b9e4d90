import { agentCommandLine, query, type QueryOptions, withHost } from '@proto/host';
import { processEndOf, spawnAgent } from '@proto/transport-stdio';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect } from 'vitest';
import { AGENT } from './bins.test-support.ts';

describe.concurrent('a query to a process', { timeout: 30_000 }, () => {
  const ask = async (prompt: string, options: Pick<QueryOptions, 'sendPromptVia'> = {}) => {
    let argv: readonly string[] = [];
    const session = query({
      prompt,
      ...options,
      transport({ args, env }) {
        argv = args;
        return spawnAgent({ command: AGENT, args, env: { ...process.env, ...env } });
      },
    });
    const results: unknown[] = [];
    for await (const message of session) {
      if (message.type === 'result') results.push(message.subtype === 'success' ? message.result : message.errors);
    }
    const close = await session.closed;
    return { results, argv: argv.join(' '), error: close.error, exitCode: processEndOf(close)?.exitCode };
  };

  verifies('HOST-1', 'starts the agent and yields its messages up to the end', async () => {
    const { argv, ...end } = await ask('/echo by the input');
    expect(end).toEqual({ results: ['by the input'], error: undefined, exitCode: 0 });
    expect(argv).not.toContain('by the input');
  });

  verifies('HOST-1', 'passes the prompt on the command line with sendPromptVia argument', async () => {
    const { argv, ...end } = await ask('/echo -- by the argument', { sendPromptVia: 'argument' });
    expect(end).toEqual({ results: ['-- by the argument'], error: undefined, exitCode: 0 });
    expect(argv).toContain('-- /echo -- by the argument');
  });

  verifies('STATE-4', 'reports the states of its prompts, with replayed prompts and without', async () => {
    for (const replayUserMessages of [true, false]) {
      const states: string[] = [];
      const { args, env } = agentCommandLine({ replayUserMessages });
      const transport = spawnAgent({ command: AGENT, args, env: { ...process.env, ...env } });
      await withHost({ transport, onPrompt: (_, state) => states.push(state) }, async (host) => {
        const sent = host.prompt('/echo hi');
        for await (const _ of host.untilResult());
        expect(await sent.outcome).toBe('done');
      });
      expect(states).toEqual(['accepted', 'delivered', 'started', 'done']);
    }
  });
});
