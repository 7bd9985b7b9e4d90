import { type AgentOptions, runAgent, type RunTurn, textOf } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { PromptContent } from '@proto/core/messages';
import { createMemoryPair, encodeBatch, type ResumableTransport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HostSession } from './host-options.ts';
import type { AgentCommand } from './launch.ts';
import { assistant, rest, result } from './puppet-agent.test-support.ts';
import { type PromptMessage, type QueryOptions, query, withHost } from './query.ts';

const parrot: RunTurn = async function* ({ prompt }) {
  yield assistant(textOf(prompt));
};

/** The transport to an agent that repeats its prompt. */
function agent(options: Partial<AgentOptions> = {}) {
  const pair = createMemoryPair();
  const outcome = runAgent(pair.agent, { runTurn: parrot, ...options });
  outcome.catch(() => {});
  return { transport: pair.host, outcome };
}

const said = (messages: readonly WireMessage[]) =>
  messages.flatMap(({ type, message }) =>
    type === 'assistant' ? [textOf((message as { content: unknown }).content)] : [],
  );

async function* each<T>(...items: T[]): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

describe('a query', () => {
  test('sends one prompt, yields the messages, and ends with the agent', async () => {
    const { transport, outcome } = agent();
    const session = query({ prompt: 'hello', transport });
    const messages = await rest(session);
    const types = messages.map(({ type }) => type).filter((type) => type !== 'command_lifecycle');
    expect(types).toEqual(['system', 'assistant', 'result']);
    expect(said(messages)).toEqual(['hello']);
    expect(await outcome).toEqual({ isError: false });
    expect(await session.closed).not.toHaveProperty('error');
  });

  test('sends several prompts as they arrive', async () => {
    const { transport } = agent();
    const prompt = each<PromptContent | PromptMessage>('one', [{ type: 'text', text: 'two' }], {
      content: 'three',
      uuid: 'u3',
    });
    const messages = await rest(query({ prompt, transport }));
    // An agent may run waiting prompts in one turn.
    expect(said(messages).join('\n')).toBe('one\ntwo\nthree');
    const results = messages.filter(({ type }) => type === 'result');
    expect(results.at(-1)).toMatchObject({ user_message_uuid: 'u3' });
  });

  test('without any prompt ends', async () => {
    const { transport } = agent();
    expect(await rest(query({ prompt: each<string>(), transport }))).toEqual([]);
  });

  verifies('HOST-1', 'sends its prompt through the input, and as an argument only on request', async () => {
    const seen: unknown[] = [];
    const ask = async (options: Pick<QueryOptions, 'sendPromptVia'>) => {
      const { agent: far, host: transport } = createMemoryPair();
      const read = async () => {
        const received: unknown[] = [];
        for await (const items of far.incoming)
          received.push(...items.map((item) => item.kind === 'message' && item.text));
        return received;
      };
      const received = read();
      const session = query({
        prompt: '--hello',
        exitGraceMs: 0,
        transport({ args }) {
          seen.push(args.includes('--input-format'), args.slice(-2));
          return transport;
        },
        ...options,
      });
      await far.send(encodeBatch(result())).then(() => far.end());
      await rest(session);
      return received;
    };
    expect((await ask({})).join()).toContain('"content":"--hello"');
    expect(await ask({ sendPromptVia: 'argument' })).toEqual([]);
    expect(seen).toEqual([true, ['--input-format', 'stream-json'], false, ['--', '--hello']]);
  });

  verifies('HOST-1', 'refuses a prompt argument of 8 KB, or one in a session that needs the input', () => {
    const { transport } = agent();
    const asked = (prompt: QueryOptions['prompt'], options: Partial<QueryOptions> = {}) =>
      query({ prompt, sendPromptVia: 'argument', transport: () => transport, ...options });
    // The limit counts bytes: two for each of these characters.
    expect(() => asked('é'.repeat(4096))).toThrow(expect.objectContaining({ code: 'too-large' }));
    expect(() => asked('x', { transport })).toThrow('already running');
    expect(() => asked(each('x'))).toThrow('must be a single string');
    expect(() => asked('x', { canUseTool: () => null })).toThrow('canUseTool needs the input');
    expect(() => asked('é'.repeat(4095))).not.toThrow();
  });

  test('with a prompt argument writes nothing, and fails without a result', async () => {
    const { agent: far, host: transport } = createMemoryPair();
    const session = query({ prompt: 'x', sendPromptVia: 'argument', transport: () => transport });
    await expect(session.request('set_model', { model: 'm' })).rejects.toMatchObject({ code: 'closed' });
    await expect(session.prompt('more').accepted).rejects.toMatchObject({ code: 'closed' });
    await expect(session.interrupt()).rejects.toMatchObject({ code: 'closed' });
    await far.end();
    await expect(rest(session)).rejects.toMatchObject({ code: 'lost', message: /1 prompts have no result/ });
    for await (const items of far.incoming) expect(items).toEqual([]);
  });

  test('ends when its prompts throw, with the thrown error as the cause', async () => {
    const { transport } = agent();
    const broken = new Error('no more ideas');
    const prompt = (async function* () {
      yield 'one';
      throw broken;
    })();
    await expect(rest(query({ prompt, transport }))).rejects.toMatchObject({ code: 'aborted', cause: broken });
  });

  test('can be controlled while it runs', async () => {
    const { transport } = agent({
      async *runTurn({ signal }) {
        yield assistant('working');
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    // Without a callback, only the running turn keeps the input open.
    const session = query({ prompt: 'go', transport });
    for await (const message of session.untilResult()) {
      if (message.type !== 'assistant') continue;
      expect(await session.request('set_model', { model: 'another' })).toMatchObject({ model: 'another' });
      expect(await session.interrupt()).toMatchObject({ outcome: 'accepted' });
    }
    expect(session.state.last?.outcome).toBe('interrupted');
    await rest(session);
  });

  test('without a callback keeps the input open until its background tasks have ended, and yields the first result at once', async () => {
    let finish: (end: { summary: string }) => void = () => {};
    const { transport } = agent({
      async *runTurn({ prompt, background }) {
        if (textOf(prompt) !== 'go') return yield assistant('its turn');
        background({ description: 'work', task_type: 'local_bash', run: () => new Promise((end) => (finish = end)) });
        yield assistant('started');
      },
    });
    const session = query({ prompt: 'go', transport });
    expect(said(await rest(session.untilResult()))).toEqual(['started']);
    expect(await session.request('set_model', { model: 'another' })).toMatchObject({ model: 'another' });
    finish({ summary: 'done' });
    expect(said(await rest(session))).toEqual(['its turn']);
  });

  verifies('FAIL-8', 'rejects with the reason of its abort, and closed names the local side', async () => {
    const { transport } = agent({
      // oxlint-disable-next-line require-yield -- This agent never answers.
      async *runTurn() {
        await new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const session = query({ prompt: 'go', transport, signal: controller.signal });
    const messages = rest(session);
    const reason = new Error('the user has left');
    controller.abort(reason);
    await expect(messages).rejects.toBe(reason);
    const { by, error } = await session.closed;
    expect({ by, cause: error?.cause }).toEqual({ by: 'local', cause: reason });
    expect(() => query({ prompt: 'go', transport, signal: controller.signal })).toThrow(reason);
  });

  verifies('FAIL-7', 'that is aborted rejects all pending calls with the unchanged reason of its signal', async () => {
    for (const [name, make] of [
      ['AbortError', () => AbortSignal.abort()],
      ['TimeoutError', () => AbortSignal.timeout(1)],
    ] as const) {
      const source = make();
      const controller = new AbortController();
      const { signal } = controller;
      // An agent that never answers.
      const session = query({ prompt: 'go', transport: createMemoryPair().host, signal });
      const waiting = [
        rest(session),
        session.initialized,
        session.request('get_usage', {}, { timeoutMs: 60_000 }),
        withHost({ transport: createMemoryPair().host, signal }, () => {}),
      ];
      const outcomes = Promise.allSettled(waiting);
      if (!source.aborted) await new Promise((resolve) => source.addEventListener('abort', resolve));
      controller.abort(source.reason);
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name } });
        expect('reason' in outcome && outcome.reason === source.reason).toBe(true);
      }
      expect(session.signal.reason).toBe(source.reason);
      expect(await session.closed).toMatchObject({ by: 'local', error: { code: 'aborted' } });
    }
  });

  verifies('HOST-16', 'closes once if it is left early, closed twice or left before the first read', async () => {
    for (const leave of [
      async (session: ReturnType<typeof query>) => {
        for await (const _ of session) break;
      },
      async (session: ReturnType<typeof query>) => {
        await session.close();
        await session.close();
      },
      async (session: ReturnType<typeof query>) => {
        await session[Symbol.asyncIterator]().return?.();
      },
    ]) {
      const { transport } = agent();
      const session = query({ prompt: 'go', transport });
      await leave(session);
      expect(await session.closed).toMatchObject({ by: 'local' });
    }
  });

  test('closes without an abort although a prompt arrives during the close', async () => {
    const { transport } = agent();
    const abort = vi.spyOn(transport, 'abort');
    const close = transport.close.bind(transport);
    let exit: () => void = () => {};
    const exited = new Promise<void>((resolve) => (exit = resolve));
    vi.spyOn(transport, 'close').mockImplementation(() => exited.then(close));
    let add: (text: string) => void = () => {};
    const later = new Promise<string>((resolve) => (add = resolve));
    async function* prompts() {
      yield 'go';
      try {
        yield await later;
      } finally {
        // The prompt was refused.
        setImmediate(exit);
      }
    }
    const session = query({ prompt: prompts(), transport });
    await session.initialized;
    const closed = session.close();
    add('too late');
    await closed;
    expect(abort).not.toHaveBeenCalled();
    expect(await session.closed).toEqual({ by: 'local' });
  });

  test('starts an agent with the flags that its options need', async () => {
    const launches: AgentCommand[] = [];
    const open = (options: Partial<QueryOptions>) => {
      const { transport } = agent();
      const connect = (launch: AgentCommand) => {
        launches.push(launch);
        return transport;
      };
      return rest(query({ prompt: 'go', transport: connect, ...options }));
    };
    await open({ launch: { model: 'opus' }, canUseTool: () => null, onTranscriptMirror: () => {} });
    expect(launches[0]?.args.slice(5)).toEqual(['--permission-prompt-tool=stdio', '--session-mirror', '--model=opus']);
    expect(() => query({ prompt: 'go', transport: agent().transport, launch: {} })).not.toThrow();
    const fresh = () => agent().transport;
    const both = { canUseTool: () => null, launch: { permissionPromptTool: 'mcp__a__b' } };
    expect(() => query({ prompt: 'go', transport: fresh, ...both })).toThrow(TypeError);
    const same = { launch: { model: 'opus', fallbackModel: ['haiku', 'opus'] } };
    expect(() => query({ prompt: 'go', transport: fresh, ...same })).toThrow(TypeError);
  });

  verifies(
    'PROC-11',
    'sends large or secret values through the input of the agent, not on its command line',
    async () => {
      const initialize = {
        systemPrompt: ['a system prompt'],
        appendSystemPrompt: 'more of it',
        agents: { helper: { description: 'what it is for', prompt: 'what it does' } },
        mcpServers: { outside: { command: 'a server', args: ['--key=secret'], env: { TOKEN: 'a token' } } },
        jsonSchema: { type: 'object', description: 'a schema' },
      };
      const prompt = 'x'.repeat(1_000_000);
      const received: unknown[] = [];
      const { transport } = agent({
        initializeResponse(request) {
          received.push(request);
          return { mcp_servers_applied: true };
        },
      });
      const launches: AgentCommand[] = [];
      const session = query({
        prompt,
        initialize,
        transport(launch) {
          launches.push(launch);
          return transport;
        },
      });
      expect(said(await rest(session))).toEqual([prompt]);
      expect(received).toMatchObject([initialize]);
      const { args, env } = launches[0] ?? {};
      expect(args?.slice(5)).toEqual(['--await-initialize']);
      expect(Object.keys(env ?? {})).toEqual(['CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SDK_READS_SESSION_STATE']);
    },
  );
});

describe('an agent that has answered all prompts', () => {
  test('but does not exit is closed without an error', async () => {
    const { transport } = agent();
    // The output never ends, even after the end of the input.
    vi.spyOn(transport, 'end').mockResolvedValue();
    const session = query({ prompt: 'hello', transport, exitGraceMs: 5 });
    expect(said(await rest(session))).toEqual(['hello']);
    expect(await session.closed).toEqual({ by: 'local' });
  });

  test('is left at once when it is the agent of a remote session, which does not exit', async () => {
    const { transport } = agent();
    vi.spyOn(transport, 'end').mockResolvedValue();
    vi.spyOn(transport as ResumableTransport, 'resumption', 'get').mockReturnValue({
      cursor: undefined,
      acknowledge() {},
    });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(said(await rest(query({ prompt: 'hello', transport })))).toEqual(['hello']);
    expect(timers.mock.lastCall?.[1]).toBe(0);
  });
});

test('a program that leaves a query at its result can end, because no timer remains', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { transport, outcome } = agent();
  const session = query({ prompt: 'hello', transport });
  for await (const message of session) if (message.type === 'result') break;
  await Promise.all([session.closed, outcome]);
  // Everything that still follows the end.
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

describe('withHost', () => {
  verifies('HOST-11', 'passes an initialized session to a function, and closes it in any case', async () => {
    const { transport } = agent();
    let kept: unknown;
    const answer = await withHost({ transport }, async (host) => {
      kept = host;
      expect((await host.initialized).output_style).toBe('default');
      await host.prompt('one').accepted;
      const first = said(await rest(host.untilResult()));
      await host.prompt('two').accepted;
      return [...first, ...said(await rest(host.untilResult()))];
    });
    expect(answer).toEqual(['one', 'two']);
    expect(await transport.closed).toEqual({ by: 'local' });
    await expect((kept as HostSession).prompt('late').accepted).rejects.toMatchObject({
      code: 'closed',
    });

    const thrown = new Error('theirs');
    const other = agent();
    await expect(withHost({ transport: other.transport }, () => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(await other.transport.closed).toEqual({ by: 'local' });
  });

  verifies('HOST-11', 'returns the result of the function even if the close fails', async () => {
    const { transport } = agent();
    vi.spyOn(transport, 'close').mockRejectedValue(new Error('cannot close'));
    expect(await withHost({ transport }, () => 'done')).toBe('done');
  });

  test('rejects when the agent refuses the handshake', async () => {
    const { host: transport, agent: end } = createMemoryPair();
    end.abort();
    const run = vi.fn();
    await expect(withHost({ transport }, run)).rejects.toMatchObject({ code: 'lost' });
    expect(run).not.toHaveBeenCalled();
  });
});
