/**
 * The behaviour that a host may expect of an agent over any transport. The scenarios are written once, and run over every transport
 * with the reference agent.
 */
import type { WireMessage } from '@proto/core/framing';
import {
  createTextAssembler,
  type HostOptions,
  type HostSession,
  type HostSessionOptions,
  type AgentCommand,
  query,
  type QueryOptions,
  withHost,
} from '@proto/host';
import type { Transport } from '@proto/core/transport';
import { afterEach, describe, expect, test } from 'vitest';
import { watchCancels } from './stray-cancels.ts';

/** Starts a reference agent with the flags of a host, and returns a transport to the agent. */
export type OpenAgent = (launch: AgentCommand) => Transport;

/** Defines the scenarios for the transports that `open` opens. */
export function testScenarios(name: string, start: OpenAgent): void {
  // An agent cancels its own requests only. It must not withdraw a request that the host has sent.
  const strayCancels: unknown[] = [];
  const open: OpenAgent = (launch) => watchCancels(start(launch), strayCancels);
  afterEach(() => expect(strayCancels.splice(0)).toEqual([]));

  const ask = (prompt: QueryOptions['prompt'], options: Partial<QueryOptions> = {}) =>
    query({ prompt, transport: open, ...options });
  const drive = <T>(options: Partial<HostOptions>, run: (host: HostSession) => Promise<T>) =>
    withHost({ transport: open, ...options }, run);

  describe(`over ${name}: turns`, () => {
    test('an agent answers one prompt and exits by itself', async () => {
      const session = ask('/echo hello world');
      const messages = await all(session);
      expect(kinds(messages)).toEqual(['system/init', 'assistant', 'result/success']);
      expect(resultsOf(messages)).toEqual(['hello world']);
      expect(await session.closed).not.toHaveProperty('error');
      expect(session.state).toMatchObject({ session: 'idle', prompts: [], last: { outcome: 'success' } });
      expect(session.report).toMatchObject({ hasResult: true, streamEnded: true, issues: [] });
    });

    test('prompts sent one after the other each get their own result', () =>
      drive({}, async (host) => {
        for (const text of ['one', 'two', 'three']) {
          const { uuid } = host.prompt(`/echo ${text}`);
          const messages = await all(host.untilResult());
          expect(messages.at(-1)).toMatchObject({ result: text, user_message_uuid: uuid });
        }
        expect(host.state).toMatchObject({ prompts: [], results: 3 });
      }));

    test('many prompts sent at once are all answered in order', async () => {
      const texts = Array.from({ length: 30 }, (_, index) => `answer ${index}`);
      const messages = await all(ask(prompts(texts.map((text) => `/echo ${text}`))));
      const answers = messages.flatMap((message) => (message.type === 'assistant' ? [textOf(message)] : []));
      expect(answers).toEqual(texts);
    });

    test('the text is the same with and without partial messages', async () => {
      const text = 'a text of some words, ü and 😀';
      const partial = await all(ask(`/echo ${text}`, { launch: { includePartialMessages: true } }));
      const whole = await all(ask(`/echo ${text}`));
      expect(kinds(partial)).toContain('stream_event');
      expect(kinds(whole)).not.toContain('stream_event');
      for (const messages of [partial, whole]) {
        const assembler = createTextAssembler();
        expect(messages.map((message) => assembler.add(message)).join('')).toBe(text);
      }
    });

    test('any text arrives unchanged', async () => {
      const text = 'line\u2028separator, quote " \\ tab\t, \u0000, 😀, e\u0301, \u{10ffff}';
      const messages = await all(ask(`/echo ${text}`));
      expect(resultsOf(messages)).toEqual([text]);
    });

    test('a text of a megabyte arrives unchanged in both directions', async () => {
      const text = 'x'.repeat(1_000_000);
      expect(resultsOf(await all(ask(`/echo ${text}`)))).toEqual([text]);
    });

    test('a session without a prompt ends without a message', async () => {
      expect(await all(ask(prompts([])))).toEqual([]);
    });
  });

  describe(`over ${name}: control`, () => {
    test('an interrupt ends the turn, and the session goes on', () =>
      drive({ launch: { includePartialMessages: true } }, async (host) => {
        await host.prompt('/slow 60').accepted;
        let receipt: unknown;
        for await (const { type } of host.untilResult()) {
          if (type === 'stream_event') receipt ??= await host.interrupt();
        }
        expect(receipt).toMatchObject({ outcome: 'accepted', still_queued: [] });
        expect(host.state.last?.outcome).toBe('interrupted');
        await host.prompt('/echo still here').accepted;
        expect(resultsOf(await all(host.untilResult()))).toEqual(['still here']);
        expect(host.state.last?.outcome).toBe('success');
      }));

    test('an interrupt between turns reports that nothing was interrupted', () =>
      drive({}, async (host) => {
        expect(await host.interrupt()).toMatchObject({ outcome: 'nothing_running', still_queued: [] });
      }));

    test('a new model and a new mode hold for later turns', () =>
      drive({}, async (host) => {
        expect(await host.request('set_model', { model: 'another' })).toMatchObject({ model: 'another' });
        expect(await host.request('set_permission_mode', { mode: 'plan' })).toMatchObject({ mode: 'plan' });
        await host.prompt('/echo hi').accepted;
        const init = (await all(host.untilResult())).find(({ subtype }) => subtype === 'init');
        expect(init).toMatchObject({ model: 'another', permissionMode: 'plan' });
      }));

    test('requests are answered while a turn runs', () =>
      drive({}, async (host) => {
        await host.prompt('/slow 60').accepted;
        expect(await host.request('mcp_status')).toEqual({ mcpServers: [] });
        await host.interrupt();
      }));

    test('a request that the agent does not support is refused with a code', () =>
      drive({}, async (host) => {
        await expect(host.request('no_such_thing')).rejects.toMatchObject({ code: 'unsupported_request' });
        await expect(host.request('set_permission_mode', { mode: 'no mode' as 'plan' })).rejects.toMatchObject({
          code: 'invalid_mode',
        });
      }));
  });

  describe(`over ${name}: permissions`, () => {
    const answer: NonNullable<HostSessionOptions['canUseTool']> = ({ input }) => ({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which?': 'B' } },
    });

    test('the permission callback answers a permission request', async () => {
      const messages = await all(ask('/ask Which?|A|B', { canUseTool: answer }));
      expect(JSON.stringify(messages)).toContain('B');
      expect(messages.at(-1)).toMatchObject({ is_error: false, permission_denials: [] });
    });

    test('the agent gets a denial with its reason, and the turn goes on', async () => {
      const canUseTool = () => ({ behavior: 'deny', message: 'not now' }) as const;
      const messages = await all(ask('/ask Which?|A|B', { canUseTool }));
      expect(JSON.stringify(messages)).toContain('not now');
      expect(messages.at(-1)).toMatchObject({
        type: 'result',
        is_error: false,
        permission_denials: [{ tool_name: 'AskUserQuestion' }],
      });
    });

    test('a permission callback that throws denies the permission', async () => {
      const canUseTool = () => Promise.reject(new Error('policy broke'));
      const messages = await all(ask('/ask Which?|A|B', { canUseTool }));
      expect(messages.at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'AskUserQuestion' }] });
    });

    test('the input stays open after the last prompt until a late answer was sent', async () => {
      const session = ask('/ask Which?|A|B', {
        canUseTool: (_, { requestId }) => {
          // The answer comes from another program, some time after the question was shown.
          setTimeout(
            () => expect(session.respond(requestId, { behavior: 'deny', message: 'too late' })).toBe(true),
            20,
          );
          return null;
        },
      });
      const messages = await all(session);
      expect(JSON.stringify(messages)).toContain('too late');
      expect(session.state).toMatchObject({ session: 'idle', questions: 0 });
    });

    test('an interrupt withdraws an open permission request', () => {
      let withdrawn = false;
      return drive(
        {
          canUseTool: (_, { signal }) => {
            signal.addEventListener('abort', () => {
              withdrawn = true;
            });
            return null;
          },
        },
        async (host) => {
          await host.prompt('/ask Which?|A|B').accepted;
          for await (const { type } of host.untilResult()) {
            if (type !== 'assistant') continue;
            await until(() => host.state.questions === 1);
            expect(await host.interrupt()).toMatchObject({ outcome: 'accepted' });
          }
          expect(withdrawn).toBe(true);
          expect(host.state).toMatchObject({ questions: 0, last: { outcome: 'interrupted' } });
        },
      );
    });
  });

  describe(`over ${name}: endings`, () => {
    test('leaving the message loop in the middle of a turn ends the agent', async () => {
      const session = ask('/slow 60', { launch: { includePartialMessages: true } });
      for await (const { type } of session) if (type === 'stream_event') break;
      expect((await session.closed).by).toBe('local');
    });

    test('an abort rejects everything that waits', async () => {
      const controller = new AbortController();
      const session = ask('/slow 60', { signal: controller.signal });
      const open = session.initialized.then(() => session.request('get_plan', {}, { timeoutMs: 60_000 })).catch(String);
      const messages = all(session);
      await session.initialized;
      const reason = new Error('the user has left');
      controller.abort(reason);
      await expect(messages).rejects.toBe(reason);
      await open;
      expect(await session.closed).toMatchObject({ by: 'local', error: { code: 'aborted' } });
    });

    test('a closed session refuses prompts and requests', () =>
      drive({}, async (host) => {
        await host.close();
        await expect(host.prompt('late').accepted).rejects.toMatchObject({ code: 'closed' });
        await expect(host.request('mcp_status')).rejects.toMatchObject({ code: 'closed' });
      }));
  });
}

/** Returns all messages except those about the delivery of prompts. */
async function all(messages: AsyncIterable<WireMessage>): Promise<WireMessage[]> {
  const list: WireMessage[] = [];
  for await (const message of messages) if (message.type !== 'command_lifecycle') list.push(message);
  return list;
}

const kinds = (messages: readonly WireMessage[]) =>
  messages.map(({ type, subtype }) => (typeof subtype === 'string' ? `${type}/${subtype}` : type));

const resultsOf = (messages: readonly WireMessage[]) =>
  messages.flatMap(({ type, result }) => (type === 'result' ? [result] : []));

function textOf(message: WireMessage): string {
  return createTextAssembler().add(message);
}

async function* prompts(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
