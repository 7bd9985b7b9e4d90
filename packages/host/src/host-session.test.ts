import { ControlError } from '@proto/core';
import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import type { InitializeMembers } from './host-options.ts';
import { assistant, CAPABILITIES, hostAndPuppet, request, rest, result, settled } from './puppet-agent.test-support.ts';

verifies('HOST-7', 'initialize is sent at once, and initialized resolves with its answer', async () => {
  const { host, puppet } = hostAndPuppet({ initialize: { title: 'Title', systemPrompt: ['Be brief.'] } });
  const { request } = await puppet.asked('initialize');
  expect(request).toEqual({ subtype: 'initialize', title: 'Title', systemPrompt: ['Be brief.'] });
  expect(await host.initialized).toEqual(CAPABILITIES);
});

verifies(
  ['TRN-65', 'HOST-4'],
  'each prompt is a user message with its own id, and several prompts use one connection',
  async () => {
    const { host, puppet } = hostAndPuppet();
    const { uuid: first } = host.prompt('one');
    const { uuid: second } = host.prompt([{ type: 'text', text: 'two' }], { priority: 'next' });
    const prompts = () => puppet.frames.filter(({ type }) => type === 'user');
    await puppet.received(({ uuid }) => uuid === second);
    expect(prompts()).toEqual([
      {
        type: 'user',
        session_id: '',
        message: { role: 'user', content: 'one' },
        parent_tool_use_id: null,
        uuid: first,
      },
      {
        type: 'user',
        session_id: '',
        message: { role: 'user', content: [{ type: 'text', text: 'two' }] },
        parent_tool_use_id: null,
        priority: 'next',
        uuid: second,
      },
    ]);
    expect(first).not.toBe(second);
  },
);

test('a prompt does not wait for the answer to initialize', async () => {
  const { host, puppet } = hostAndPuppet({}, { initialize: false });
  await host.prompt('now').accepted;
  await puppet.received(({ type }) => type === 'user');
  expect(puppet.frames.map(({ type }) => type)).toEqual(['control_request', 'user']);
});

verifies(
  ['HOST-5', 'TRN-59'],
  'messages reach the program in order, without control frames and messages for the host',
  async () => {
    const onTranscriptMirror = vi.fn();
    const { host, puppet } = hostAndPuppet({ onTranscriptMirror });
    const mirror = { type: 'transcript_mirror', filePath: '/x', entries: [] };
    const blocks = ['text', 'thinking', 'tool_use', 'not_known_yet'].map((type) => ({ type, [type]: 'as it came' }));
    const talk = [
      { type: 'system', subtype: 'init', tools: [] },
      { type: 'stream_event', event: { type: 'message_start' }, parent_tool_use_id: null },
      { type: 'assistant', message: { content: blocks }, parent_tool_use_id: null },
      { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'T1' }] } },
    ];
    puppet.say(
      ...talk,
      { type: 'keep_alive' },
      request('r1', { subtype: 'elicitation', mcp_server_name: 's', message: 'm' }),
      { type: 'control_cancel_request', request_id: 'other' },
      { type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } },
      { type: 'system', subtype: 'session_state_changed', state: 'idle', sdk_host_only: true },
      mirror,
      { type: 'system', subtype: 'session_state_changed', state: 'idle' },
      { type: 'not_known_yet', anything: [1] },
      result(),
    );
    await puppet.transport.end();
    expect(await rest(host)).toEqual([
      ...talk,
      { type: 'system', subtype: 'session_state_changed', state: 'idle' },
      { type: 'not_known_yet', anything: [1] },
      result(),
    ]);
    expect(onTranscriptMirror.mock.calls).toEqual([[mirror]]);
  },
);

verifies(
  ['FRM-24', 'HOST-6', 'WSK-12'],
  'lines that are not messages are omitted and reported, and the stream goes on',
  async () => {
    const onMalformed = vi.fn();
    const { host, puppet } = hostAndPuppet({ onMalformed });
    puppet.say('npm warn deprecated', 'null', '42', '{"type":5}', '{"type":"assist', result({ result: 'still here' }));
    await puppet.transport.end();
    expect(await rest(host)).toEqual([result({ result: 'still here' })]);
    expect(onMalformed.mock.calls.map(([{ reason, excerpt, error }]) => [reason, excerpt, error.code])).toEqual([
      ['not-json', 'npm warn deprecated', 'malformed'],
      ['null', 'null', 'malformed'],
      ['not-an-object', '42', 'malformed'],
      ['no-type', '{"type":5}', 'malformed'],
      ['not-json', '{"type":"assist', 'malformed'],
    ]);
    expect(host.counters.malformed).toBe(5);
  },
);

test('a session survives errors that its callbacks throw', async () => {
  const thrown = new Error('theirs');
  const unhandled = new Promise((resolve) => process.once('uncaughtException', resolve));
  const { host, puppet } = hostAndPuppet({
    onMalformed() {
      throw thrown;
    },
  });
  puppet.say('noise', result());
  await puppet.transport.end();
  expect(await rest(host)).toEqual([result()]);
  expect(await unhandled).toBe(thrown);
});

verifies(['HOST-17', 'TRN-15', 'REM-33'], 'reading to the end of a turn loses no later message', async () => {
  const { host, puppet } = hostAndPuppet();
  const late = { type: 'system', subtype: 'informational', content: 'late' };
  puppet.say(assistant('one'), result({ result: 'first' }), late, assistant('two'), result({ result: 'second' }), late);
  await puppet.transport.end();
  expect(await rest(host.untilResult())).toEqual([assistant('one'), result({ result: 'first' })]);
  for await (const message of host.untilResult()) {
    expect(message).toEqual(late);
    break;
  }
  expect(await rest(host.untilResult())).toEqual([assistant('two'), result({ result: 'second' })]);
  expect(await rest(host)).toEqual([late]);
});

test('a session can be iterated only once', () => {
  const { host } = hostAndPuppet();
  host[Symbol.asyncIterator]();
  expect(() => host[Symbol.asyncIterator]()).toThrow(TypeError);
});

verifies(['HOST-9', 'CTL-16'], 'requests resolve with the answers of their ids, in any order', async () => {
  const { host, puppet } = hostAndPuppet();
  const model = host.request('set_model', { model: 'opus' });
  const status = host.request('mcp_status');
  const [setModel, mcpStatus] = [await puppet.asked('set_model'), await puppet.asked('mcp_status')];
  expect(setModel['request']).toEqual({ subtype: 'set_model', model: 'opus' });
  puppet.succeed(mcpStatus, { mcpServers: [] });
  puppet.succeed(setModel, { model: 'claude-opus' });
  expect(await model).toEqual({ model: 'claude-opus' });
  expect((await status).mcpServers).toEqual([]);
});

test('a refused request rejects with the text and code of the refusal', async () => {
  const { host, puppet } = hostAndPuppet();
  const mode = host.request('set_permission_mode', { mode: 'bypassPermissions' });
  const { request_id } = await puppet.asked('set_permission_mode');
  puppet.say({
    type: 'control_response',
    response: { subtype: 'error', request_id, error: 'no', error_code: 'bypass_not_launched' },
  });
  const error: unknown = await mode.catch((reason: unknown) => reason);
  expect(ControlError.is(error)).toBe(true);
  expect(error).toMatchObject({ message: 'no', code: 'bypass_not_launched', subtype: 'set_permission_mode' });
});

verifies('HOST-12', 'initialize uses the names of the wire, and has only the given members', async () => {
  const initialize: Required<InitializeMembers> = {
    sdkMcpServerConfigs: { lab: { timeout: 1000 } },
    sdkMcpServerManifestsOrigin: 'host_per_send',
    jsonSchema: { type: 'object' },
    systemPrompt: ['one', 'two'],
    appendSystemPrompt: 'more',
    systemPromptSnapshot: true,
    planModeInstructions: 'plan',
    toolAliases: { Shell: 'Bash' },
    excludeDynamicSections: true,
    agents: { helper: { description: 'what for', prompt: 'what' } },
    title: 'a title',
    skills: ['one'],
    promptSuggestions: true,
    agentProgressSummaries: true,
    forwardSubagentText: true,
    perTaskStopAffordance: true,
    plugins: [{ type: 'local', path: '/p' }],
    mcpServers: { outside: { command: 'a server' } },
  };
  const full = hostAndPuppet({ initialize, dialogs: { survey: () => null } });
  expect((await full.puppet.asked('initialize'))['request']).toEqual({
    subtype: 'initialize',
    ...initialize,
    supportedDialogKinds: ['survey'],
  });
  expect((await hostAndPuppet().puppet.asked('initialize'))['request']).toEqual({ subtype: 'initialize' });
});

verifies('FAIL-7', 'an abort rejects with its own reason, and a deadline with a timeout', async () => {
  const { host, puppet } = hostAndPuppet();
  const controller = new AbortController();
  const aborted = host.request('get_usage', {}, { signal: controller.signal });
  const { request_id } = await puppet.asked('get_usage');
  const reason = new Error('changed my mind');
  controller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  await puppet.received((frame) => frame.type === 'control_cancel_request' && frame['request_id'] === request_id);
  await expect(host.request('get_settings', {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' });
});

verifies('CALL-8', 'an aborted request sends one cancel, and its late answer is counted and dropped', async () => {
  const { host, puppet } = hostAndPuppet();
  await host.initialized;
  const controller = new AbortController();
  const aborted = host.request('get_usage', {}, { signal: controller.signal });
  const asked = await puppet.asked('get_usage');
  controller.abort();
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  puppet.succeed(asked, { late: true });
  puppet.say(result());
  await host.untilResult().next();
  expect(puppet.frames.filter(({ type }) => type === 'control_cancel_request')).toHaveLength(1);
  expect(host.counters.unawaitedAnswers).toBe(1);
});

test('a prompt that JSON cannot express is refused and not tracked', async () => {
  const { host } = hostAndPuppet();
  await expect(host.prompt('hi', { count: 1n }).accepted).rejects.toBeInstanceOf(TypeError);
  expect(host.state).toMatchObject({ session: 'idle', prompts: [] });
  await host.endInput();
});

verifies('CALL-18', 'a timeout of initialize reports how many other messages and lines arrived', async () => {
  const { host, puppet } = hostAndPuppet({ initializeTimeoutMs: 30 }, { initialize: false });
  puppet.say('starting up', assistant('hello'));
  await expect(host.initialized).rejects.toMatchObject({
    code: 'timeout',
    retryable: true,
    message: 'no answer to initialize within 30 ms; 1 messages and 1 other lines arrived',
  });
  // The session continues, because some agents never answer initialize.
  puppet.say(result());
  expect((await rest(host.untilResult())).at(-1)).toEqual(result());
});

verifies(['FAIL-1', 'FAIL-2'], 'every pending call rejects at once with the same reason', async () => {
  const { host, puppet } = hostAndPuppet({}, { initialize: false });
  const calls = [host.initialized, host.request('mcp_status'), host.request('get_usage')];
  const reasons: unknown[] = [];
  for (const call of calls) call.catch((error: unknown) => reasons.push(error));
  const events: unknown[] = [];
  host.signal.addEventListener('abort', () => events.push(host.signal.reason));
  await puppet.asked('get_usage');
  const iterated = rest(host).catch((error: unknown) => reasons.push(error));
  puppet.transport.abort(new Error('killed'));
  await host.closed;
  await iterated;
  const { error } = await host.closed;
  expect(TransportError.is(error) && error.code).toBe('lost');
  expect(reasons).toEqual([error, error, error, error]);
  expect(events).toEqual([error]);
});

verifies('QUEUE-15', 'every method that writes rejects after the end', async () => {
  const { host } = hostAndPuppet();
  await host.initialized;
  await host.close();
  await expect(host.prompt('late').accepted).rejects.toMatchObject({ code: 'closed' });
  await expect(host.request('mcp_status')).rejects.toMatchObject({ code: 'closed' });
  await expect(host.interrupt()).rejects.toMatchObject({ code: 'closed' });
  await expect(host.endInput()).resolves.toBeUndefined();
  const other = hostAndPuppet();
  await other.host.initialized;
  void other.host.endInput();
  await expect(other.host.prompt('late').accepted).rejects.toMatchObject({ code: 'closed' });
});

verifies('FAIL-3', 'a program that awaits nothing gets no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const { host, puppet } = hostAndPuppet({}, { initialize: false });
    void host.request('mcp_status');
    void host.interrupt().catch(() => {});
    void host.endInput();
    await puppet.asked('mcp_status');
    puppet.transport.abort();
    await host.closed;
    const silent = hostAndPuppet({}, { initialize: false });
    silent.puppet.transport.abort();
    await silent.host.closed;
    await settled();
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

test('an agent that ends without a result is an error, unless the program has closed the session', async () => {
  const { host, puppet } = hostAndPuppet();
  await host.prompt('anyone?').accepted;
  await puppet.transport.end();
  await expect(rest(host)).rejects.toMatchObject({ code: 'lost', message: /1 prompts have no result/ });

  const left = hostAndPuppet();
  await left.host.prompt('never mind').accepted;
  const iterated = rest(left.host);
  await left.host.close();
  expect(await iterated).toEqual([]);
});

test('leaving the loop closes the session, once', async () => {
  const { host, puppet } = hostAndPuppet();
  puppet.say(assistant('one'), assistant('two'));
  for await (const message of host) {
    expect(message).toEqual(assistant('one'));
    break;
  }
  expect(await host.closed).toEqual({ by: 'local' });
  await host.close();
});

test('unknown requests are refused at once, and handlers of the program can serve more subtypes', async () => {
  const { puppet } = hostAndPuppet({ handlers: { oauth_token_refresh: () => ({ token: null }) } });
  puppet.say(request('r1', { subtype: 'no_such_thing' }), request('r2', { subtype: 'oauth_token_refresh' }));
  expect(await puppet.answer('r1')).toMatchObject({
    error: 'Unsupported control request subtype: no_such_thing',
    error_code: 'unsupported_request',
  });
  expect((await puppet.answer('r2'))['response']).toEqual({ token: null });
});
