import assert from 'node:assert/strict';
import { createTextAssembler } from '@proto/host';
import { kinds, resultOf } from './messages.mjs';

const never = new Promise(() => {});

/** Scenarios of the ways in which a turn runs and ends. Each scenario gets its lab. */
export const TURNS = {
  async text({ script, query, all, requests }) {
    script('Hello, world.');
    const states = new Set();
    const session = query({ prompt: 'Say hello', onState: (state) => states.add(state.session) });
    const messages = await all(session);
    const shown = kinds(messages).filter((kind) => /^(system\/init|assistant|result)/.test(kind));
    assert.deepEqual(shown, ['system/init', 'assistant', 'result/success']);
    assert.equal(resultOf(messages).result, 'Hello, world.');
    assert.equal(requests().length, 1);
    assert.match(JSON.stringify(requests()[0].body.messages), /Say hello/);
    const { claude_code_version } = await session.initialized;
    assert.equal(typeof claude_code_version, 'string');
    const { error, status } = await session.closed;
    assert.deepEqual([error, status], [undefined, 0]);
    assert.deepEqual(session.report.issues, []);
    assert.deepEqual([...states], ['running', 'idle']);
    assert.equal(session.state.reportedState, 'idle');
    // The name of the client in requests to the API.
    assert.match(requests()[0].headers['user-agent'], /sdk-sjp/);
  },

  async partials({ script, query, all }) {
    script({ content: ['Hello, ', 'wor', 'ld: ü 😀'] });
    const messages = await all(query({ prompt: 'Say hello', launch: { includePartialMessages: true } }));
    const assembler = createTextAssembler();
    const pieces = messages.map((message) => assembler.add(message)).filter(Boolean);
    assert.deepEqual(pieces, ['Hello, ', 'wor', 'ld: ü 😀']);
    assert.ok(kinds(messages).includes('stream_event'));
  },

  async 'several prompts'({ script, query, all, requests }) {
    script('one', 'two');
    let answered;
    const isAnswered = new Promise((resolve) => (answered = resolve));
    async function* prompts() {
      yield 'first';
      // Prompts that are queued during a turn are merged into one turn.
      await isAnswered;
      yield { content: 'second', uuid: crypto.randomUUID() };
    }
    const session = query({ prompt: prompts(), onState: ({ results }) => results > 0 && answered() });
    const messages = await all(session);
    const results = messages.filter(({ type }) => type === 'result').map(({ result }) => result);
    assert.deepEqual(results, ['one', 'two']);
    assert.equal(requests().length, 2);
  },

  async 'a prompt as an argument'({ script, query, all, requests }) {
    script('Hello, world.');
    const session = query({ prompt: '--say hello', sendPromptVia: 'argument' });
    const messages = await all(session);
    assert.equal(resultOf(messages).result, 'Hello, world.');
    assert.match(JSON.stringify(requests()[0].body.messages), /--say hello/);
    assert.deepEqual([session.state.prompts, (await session.closed).status], [[], 0]);
  },

  async 'states of a prompt'({ script, host, all }) {
    script('one', { content: ['two', { wait: never }] });
    const states = [];
    const session = host(
      { onPrompt: (_, state) => states.push(state) },
      { replayUserMessages: true, includePartialMessages: true },
    );
    const first = session.prompt('one');
    await all(session.untilResult());
    assert.equal(await first.outcome, 'done');
    const second = session.prompt('two');
    for await (const { event } of session.untilResult()) {
      if (event?.delta?.text !== undefined) void session.interrupt({ cancelQueued: true });
    }
    assert.equal(await second.outcome, 'cancelled');
    const passed = ['accepted', 'delivered', 'started'];
    assert.deepEqual(states, [...passed, 'done', ...passed, 'cancelled']);
    assert.ok(session.capabilities.has('interrupt_cancel_queued_v1'));
    await session.close();
  },

  async interrupt({ script, host, all }) {
    script({ content: ['Once upon ', { wait: never }] }, 'Still here.');
    const session = host({}, { includePartialMessages: true });
    await session.prompt('Write a story').accepted;
    let receipt;
    const cut = [];
    for await (const message of session.untilResult()) {
      cut.push(message);
      if (message.event?.delta?.text !== undefined) receipt ??= await session.interrupt();
    }
    assert.deepEqual(receipt, { still_queued: [], outcome: 'accepted' });
    assert.equal(resultOf(cut).subtype, 'error_during_execution');
    assert.ok(cut.some(({ aborted }) => aborted));
    assert.equal(session.state.last.outcome, 'interrupted');
    await session.prompt('Are you there?').accepted;
    assert.equal(resultOf(await all(session.untilResult())).result, 'Still here.');
    assert.equal((await session.interrupt()).outcome, 'nothing_running');
    await session.close();
  },

  async 'API error'({ script, query, all }) {
    script(...Array(10).fill({ status: 400, error: { message: 'so not' } }));
    const session = query({ prompt: 'Really?' });
    // The agent exits with 1 after the result that reports the error, so the host must not report a second error.
    const messages = await all(session);
    const result = resultOf(messages);
    assert.deepEqual([result.subtype, result.is_error, result.api_error_status], ['success', true, 400]);
    assert.match(result.result, /so not/);
    assert.equal((await session.closed).status, 1);
  },

  async 'API error, then a retry'({ script, query, all }) {
    script({ status: 529, headers: { 'retry-after-ms': '1' } }, 'There.');
    const messages = await all(query({ prompt: 'Anybody?' }));
    assert.ok(kinds(messages).includes('system/api_retry'));
    assert.equal(resultOf(messages).result, 'There.');
  },

  async 'max turns'({ script, query, all, folder }) {
    script({ content: [{ type: 'tool_use', name: 'Read', input: { file_path: `${folder}/note.txt` } }] });
    const session = query({ prompt: 'Read it', launch: { maxTurns: 1 } });
    const messages = await all(session);
    const { subtype, is_error } = resultOf(messages);
    assert.deepEqual([subtype, is_error], ['error_max_turns', true]);
    assert.equal(session.state.last.outcome, 'error');
  },

  async 'resume and fork'({ script, query, all, requests }) {
    script('Noted.', 'It was seven.', 'Seven still.');
    const ask = async (prompt, launch) => resultOf(await all(query({ prompt, launch })));
    const first = await ask('The number is seven');
    const resumed = await ask('Which number?', { resume: first.session_id });
    assert.deepEqual([resumed.session_id, resumed.result], [first.session_id, 'It was seven.']);
    assert.match(JSON.stringify(requests()[1].body.messages), /The number is seven/);
    const forked = await ask('Sure?', { resume: first.session_id, forkSession: true });
    assert.notEqual(forked.session_id, first.session_id);
    assert.match(JSON.stringify(requests()[2].body.messages), /It was seven/);
  },

  async 'resume of nothing'({ query, all }) {
    const session = query({ prompt: 'hi', launch: { resume: '00000000-0000-4000-8000-000000000000' } });
    const messages = await all(session);
    const result = resultOf(messages);
    assert.equal(result.subtype, 'error_during_execution');
    assert.match(result.errors.join(), /00000000/);
    // The agent never answers this request, and the host must not wait for the answer forever.
    await assert.rejects(session.initialized, { code: 'lost', status: 1 });
  },

  async close({ script, host }) {
    script({ content: ['Once upon ', { wait: never }] });
    const session = host({}, { includePartialMessages: true });
    await session.prompt('Write a story').accepted;
    for await (const { type } of session.untilResult()) if (type === 'stream_event') break;
    const asked = session.request('get_plan', {}).catch((error) => error.code);
    await session.close();
    const { by, error, process } = await session.closed;
    assert.deepEqual([by, error], ['local', undefined]);
    assert.ok(process.exitCode === 0 || process.exitCode === 143, `the agent exited with ${process.exitCode}`);
    await asked;
  },

  async 'leaving the loop'({ script, query }) {
    script({ content: ['Once upon ', { wait: never }] });
    const session = query({ prompt: 'Write a story', launch: { includePartialMessages: true } });
    for await (const { type } of session) if (type === 'stream_event') break;
    assert.equal((await session.closed).by, 'local');
  },

  async abort({ script, query, all }) {
    script({ content: ['Once upon ', { wait: never }] });
    const controller = new AbortController();
    const session = query({ prompt: 'Write a story', signal: controller.signal });
    const messages = all(session);
    await session.initialized;
    controller.abort(new Error('the user has left'));
    await assert.rejects(messages, { message: 'the user has left' });
    assert.equal((await session.closed).process.exitCode, 143);
  },
};
