/** Runs our own agent executable as the worker of a session, with our viewer and the published browser SDK. */
import { createSession } from '@proto/core';
import { type RunTurn, textOf } from '@proto/agent';
import { encodeBatch, type Transport } from '@proto/core/transport';
import { createMemoryEventLog } from '@proto/ingress';
import { verifies } from '@proto/test-support/verifies';
import { startFaultProxy } from '@proto/testkit';
import { createSseTransport, createSseWorkerTransport } from '@proto/transport-sse';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startWorker } from './headless-worker.ts';
import { assistant, readMessages, texts } from './messages.ts';
import { credentials, newSession, openViewer, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

const parrot: RunTurn = async function* ({ prompt }) {
  yield assistant(textOf(prompt));
};

async function start(options?: Parameters<typeof startIngress>[2]) {
  const log = createMemoryEventLog();
  const server = await startIngress(log, 0, options);
  onTestFinished(() => server.close());
  const { url } = server;
  const id = await newSession(url);
  const session = `${url}/v1/code/sessions/${id}`;
  const state = async () => {
    const answer = await fetch(session, { headers: { authorization: `Bearer ${TOKENS.driver}` } });
    return ((await answer.json()) as { session: Record<string, unknown> }).session;
  };
  return { url, id, session, state, log };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Starts our agent and attaches it to a session. */
async function attach(
  { url, id, session }: Started,
  options: Partial<Parameters<typeof startWorker>[2]> & { readonly at?: string } = {},
) {
  const { worker_jwt: token, worker_epoch: epoch } = await credentials(url, id);
  const { at = session, process = {}, ...rest } = options;
  const worker = startWorker(at, token, {
    runTurn: parrot,
    ...rest,
    process: {
      ...process,
      env: { CLAUDE_CODE_USE_CCR_V2: '1', CLAUDE_CODE_WORKER_EPOCH: String(epoch), ...process.env },
    },
  });
  onTestFinished(() => void worker.signals.emit('SIGTERM'));
  return worker;
}

/** Connects our host, and records the messages it received. */
function watch(session: string, handlers = {}) {
  const updates: [id: string, status: string][] = [];
  const transport = createSseTransport({ url: session, credential: () => TOKENS.driver, baseMs: 20 });
  const host = createSession(transport, {
    handlers,
    onItem(item) {
      if (item.kind !== 'notice' || item.event !== 'delivery_update') return;
      const { event_id: id, status } = item.data as { event_id: string; status: string };
      updates.push([id, status.replace('DELIVERY_STATUS_', '')]);
    },
  });
  onTestFinished(() => host.abort());
  const messages = readMessages(host);
  const results = () => messages.filter(({ type }) => type === 'result');
  return { host, messages, updates, texts: () => texts(messages), results };
}

const user = (content: string, uuid: string = crypto.randomUUID()) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  uuid,
});

const STREAMED = ['--output-format=stream-json', '--verbose'];

for (const argv of [[], ['--output-format=json'], STREAMED, ['--permission-prompt-tool=Ask']]) {
  verifies(
    ['AGENT-5', 'PERMIT-4', 'WORKER-11', 'PROGRAM-12'],
    `a worker sends its messages, permissions and states through the session and writes nothing to stdout: ${argv[0] ?? 'no format'}`,
    async () => {
      const started = await start();
      const worker = await attach(started, {
        process: { argv },
        async *runTurn(turn) {
          const { behavior } = await turn.canUseTool('Bash', { command: 'ls' }, 'toolu_1');
          yield assistant(`${textOf(turn.prompt)}: ${behavior}`);
        },
        // The agent asks the host, whichever permission tool the command line names; the model cannot call that tool.
        agentOptions: () => ({ tools: () => [{ name: 'Bash' }, { name: 'Ask' }] }),
      });
      const states: unknown[] = [];
      const { host, messages, updates, texts, results } = watch(started.session, {
        async can_use_tool(request: { input: object }) {
          await until(async () => (await started.state())['worker_status'] === 'requires_action');
          const { external_metadata: metadata } = await started.state();
          states.push(metadata);
          return { behavior: 'allow', updatedInput: request.input };
        },
      });
      expect(await host.request({ subtype: 'initialize' })).toMatchObject({ commands: expect.any(Array) });
      const prompt = user('hello');
      await host.emit(prompt);
      await until(() => results().length === 1);
      expect(texts()).toEqual(['hello: allow']);
      const isHidden = argv.includes('--permission-prompt-tool=Ask');
      const init = messages.find(({ subtype }) => subtype === 'init');
      expect(init).toMatchObject({ tools: isHidden ? ['Bash'] : ['Bash', 'Ask'] });
      expect(states).toMatchObject([{ pending_action: { tool_name: 'Bash', input: { command: 'ls' } } }]);
      await until(() => updates.filter(([id]) => id === prompt.uuid).length === 3);
      expect(updates.filter(([id]) => id === prompt.uuid).map(([, status]) => status)).toEqual([
        'RECEIVED',
        'PROCESSING',
        'PROCESSED',
      ]);
      await until(async () => (await started.state())['worker_status'] === 'idle');
      expect((await started.state())['external_metadata']).not.toHaveProperty('pending_action');
      await host.request({ subtype: 'end_session' });
      expect(await worker.code).toBe(0);
      expect(worker.written).toEqual({ stdout: '', stderr: '' });
      expect(messages.filter(({ type }) => type === 'assistant')).toHaveLength(1);
    },
  );
}

test('the browser SDK sends a prompt to our agent, answers a permission, interrupts, and changes the model', async () => {
  const started = await start();
  await attach(started, {
    process: { argv: ['--output-format=stream-json', '--verbose', '--include-partial-messages'] },
    async *runTurn(turn) {
      const text = textOf(turn.prompt);
      if (text === 'wait') {
        yield assistant('waiting');
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        return;
      }
      for (const part of ['a', 'b', 'c']) {
        const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } };
        yield { type: 'stream_event', event: delta, parent_tool_use_id: null };
      }
      const { behavior } = await turn.canUseTool('Bash', { command: 'ls' }, 'toolu_1');
      yield assistant(`${behavior} by ${turn.model}`);
    },
  });
  const canUseTool = vi.fn(async (_name: string, input: object) => ({ behavior: 'allow', updatedInput: input }));
  const viewer = openViewer(started.url, started.id, { canUseTool } as never);
  const results = () => viewer.messages.filter(({ type }) => type === 'result');
  await viewer.query.setModel('other');
  viewer.prompt('go');
  await until(() => results().length === 1);
  expect(canUseTool).toHaveBeenCalledTimes(1);
  expect(texts(viewer.messages)).toEqual(['allow by other']);
  const increments = viewer.messages.filter(({ type }) => type === 'stream_event');
  expect(increments.map(({ event }) => (event as { delta: { text: string } }).delta.text)).toEqual(['abc']);
  viewer.prompt('wait');
  await until(() => texts(viewer.messages).includes('waiting'));
  await viewer.query.interrupt();
  await until(() => results().length === 2);
  expect(results()[1]).toMatchObject({ subtype: 'error_during_execution' });
});

verifies(
  ['WORKER-1', 'PROGRAM-14'],
  'prompts from the command line and from the parent process run like prompts of the session, and are echoed',
  async () => {
    const stream = ['--input-format=stream-json', '--output-format=stream-json', '--verbose'];
    for (const argv of [['from the command line'], [...stream, '--replay-user-messages']]) {
      const started = await start();
      const { messages, texts, results, host } = watch(started.session);
      const worker = await attach(started, { process: { argv } });
      const own = argv.length > 1 ? user('from stdin') : undefined;
      if (own !== undefined) worker.stdin.write(`${JSON.stringify(own)}\n`);
      await until(() => results().length === 1);
      await host.emit(user('from afar'));
      await until(() => results().length === 2);
      expect(texts()).toEqual([own === undefined ? 'from the command line' : 'from stdin', 'from afar']);
      const replays = messages.filter(({ isReplay }) => isReplay === true);
      // The viewer's own prompt is not echoed to the viewer.
      expect(replays.map(({ uuid }) => uuid)).toEqual(own === undefined ? [] : [own.uuid]);
      await host.request({ subtype: 'end_session' });
      expect(await worker.code).toBe(0);
    }
  },
);

verifies(
  'ERR-29',
  'a worker that takes over continues the conversation with its settings, and runs the interrupted turn again',
  async () => {
    const started = await start();
    const { host, texts, results } = watch(started.session);
    const seen: unknown[] = [];
    const runTurn: RunTurn = async function* (turn) {
      const text = textOf(turn.prompt);
      seen.push([text, turn.history.length, turn.model, Array.from(turn.subagentHistory.keys())]);
      if (text === 'twice' && seen.length === 2) {
        yield assistant('begun');
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        return;
      }
      yield { ...assistant('inner'), parent_tool_use_id: 'T1' };
      yield assistant(`${text}!`);
    };
    const first = await attach(started, { runTurn });
    await host.request({ subtype: 'set_model', model: 'other' });
    await host.emit(user('once'));
    await until(() => results().length === 1);
    await host.emit(user('twice'));
    await until(() => texts().includes('begun'));
    // Another worker claims the lease in the middle of a turn.
    const second = await attach(started, { runTurn });
    expect(await first.code).toBe(1);
    expect(first.written.stderr).toBe('Error: sse: the session does not belong to this worker: superseded_by_worker\n');
    await until(() => results().length === 2);
    expect(texts().filter((text) => text !== 'inner')).toEqual(['once!', 'begun', 'twice!']);
    expect(seen).toEqual([
      ['once', 1, 'other', []],
      ['twice', 3, 'other', ['T1']],
      ['twice', 3, 'other', ['T1']],
    ]);
    second.signals.emit('SIGTERM');
    expect(await second.code).toBe(143);
  },
);

verifies('WORKER-12', 'a parent process sees the requests on stdout, and every message with --debug', async () => {
  for (const debug of [[], ['--debug']]) {
    const started = await start();
    const { host, results } = watch(started.session, { can_use_tool: () => ({ behavior: 'allow' }) });
    const worker = await attach(started, {
      process: { argv: debug, env: { SJP_BRIDGE: '1' } },
      async *runTurn(turn) {
        await turn.canUseTool('Bash', { command: '\u2028' }, 'toolu_1');
        yield assistant('done');
      },
    });
    await host.emit(user('go'));
    await until(() => results().length === 1);
    await host.request({ subtype: 'end_session' });
    expect(await worker.code).toBe(0);
    const lines = worker.written.stdout.split('\n').slice(0, -1);
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    if (debug.length === 0) expect(types).toEqual(['control_request']);
    else expect(types).toEqual(expect.arrayContaining(['system', 'control_request', 'assistant', 'result']));
    expect(worker.written.stdout).toContain('\\u2028');
  }
});

test('a refreshed token is accepted from the parent process with its epoch, and never from a viewer', async () => {
  let later = 0;
  const started = await start({ now: () => Date.now() + later });
  const { host, texts, results } = watch(started.session);
  const stream = ['--input-format=stream-json', '--output-format=stream-json', '--verbose'];
  const worker = await attach(started, { process: { argv: stream } });
  await host.emit(user('one'));
  await until(() => results().length === 1);
  const refresh = (token: string, epoch: number) => ({
    type: 'update_environment_variables',
    variables: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: token, CLAUDE_CODE_WORKER_EPOCH: String(epoch) },
  });
  await host.emit(refresh('forged', 99));
  await host.emit(user('two'));
  await until(() => results().length === 2);
  // The first token has expired, and no message is accepted until there is another token.
  later = 5 * 3_600_000;
  await host.emit(user('three'));
  const { worker_jwt: token, worker_epoch: epoch } = await credentials(started.url, started.id);
  worker.stdin.write(`${JSON.stringify(refresh(token, epoch))}\n`);
  await until(() => results().length === 3);
  expect(texts()).toEqual(['one', 'two', 'three']);
});

test('each prompt is answered once and in order, although all links of the worker are cut', async () => {
  const started = await start();
  const proxy = await startFaultProxy(started.url);
  onTestFinished(() => proxy.close());
  const { host, texts } = watch(started.session);
  // Prompts that wait at the same time are merged into one.
  const answered = () => texts().flatMap((text) => text.split('\n'));
  await attach(started, { at: started.session.replace(started.url, proxy.url) });
  for (let n = 1; n <= 30; n++) {
    await host.emit(user(`${n}`));
    if (n % 5 === 0) {
      await until(() => answered().length >= n - 4);
      proxy.cut(n % 10 === 0 ? 'rst' : 'fin');
    }
  }
  await until(() => answered().length >= 30);
  expect(answered()).toEqual(Array.from({ length: 30 }, (_, index) => `${index + 1}`));
});

verifies(
  'SERVER-2',
  'requests that are read again from the log are marked as replayed, and nothing is appended to the log',
  async () => {
    const started = await start();
    const { worker_jwt: token, worker_epoch: epoch } = await credentials(started.url, started.id);
    const worker: Transport = createSseWorkerTransport({ url: started.session, credential: () => ({ token, epoch }) });
    onTestFinished(() => worker.abort());
    const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool' }, uuid: 'u1' };
    await worker.send(encodeBatch(request, { ...assistant('one'), uuid: 'u2' }));
    const frames: string[] = [];
    const stream = await fetch(`${started.session}/events/stream`, {
      headers: { authorization: `Bearer ${TOKENS.viewer}` },
    });
    const reader = stream.body?.getReader();
    while (!frames.join('').includes('"u2"')) frames.push(new TextDecoder().decode((await reader?.read())?.value));
    await reader?.cancel();
    const marked = frames
      .join('')
      .split('\n')
      .filter((line) => line.includes('"replayed":true'));
    expect(marked).toHaveLength(1);
    expect(marked[0]).toContain('"r1"');
    // A worker also reads the log, and sends its events again.
    await worker.send(encodeBatch(request));
    expect((await started.log.read(started.id, 0)).last).toBe(2);
  },
);
