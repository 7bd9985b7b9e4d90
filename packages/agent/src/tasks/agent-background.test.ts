import type { RequestHandler } from '@proto/core';
import { createDeferred } from '@proto/core/internal';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { agentPeer, assistant, kinds, toolResult, toolUse, untilAborted, user } from '../agent-peer.test-support.ts';
import { textOf } from '../prompts/prompt.ts';
import type { RunTurn } from '../turns/turn.ts';

/** Starts a task in the first turn; the end of the task is the next prompt. */
function backgroundAgent(task_type: string) {
  let end = (_error?: Error) => {};
  const work = new Promise<{ summary: string }>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve({ summary: 'all done' }));
  });
  let taskId = '';
  const runTurn: RunTurn = async function* (turn) {
    if (turn.origin === undefined) {
      const run = (signal: AbortSignal) =>
        Promise.race([
          work,
          new Promise<never>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
        ]);
      taskId = turn.background({ description: 'Sleep', task_type, tool_use_id: 'T1', run });
    }
    yield assistant(textOf(turn.prompt));
  };
  return { runTurn, end: (error?: Error) => end(error), taskId: () => taskId };
}

describe('a background task', () => {
  test('continues after the end of the input, and its end starts another turn', async () => {
    const { runTurn, end, taskId } = backgroundAgent('local_bash');
    const { session, turn, rest, outcome } = agentPeer({ runTurn, output: { stateEvents: 'all' } });
    void session.emit(user('go'));
    const first = await turn();
    expect(kinds(first)).toEqual([
      'system/session_state_changed',
      'system/init',
      'system/background_tasks_changed',
      'system/task_started',
      'assistant',
      'result/success',
    ]);
    const listed = { task_id: taskId(), task_type: 'local_bash', description: 'Sleep' };
    expect(first[2]).toMatchObject({ tasks: [listed] });
    expect(first[3]).toMatchObject({ ...listed, tool_use_id: 'T1', is_backgrounded: true });
    const said = rest();
    end();
    const second = await said;
    expect(kinds(second)).toEqual([
      'system/session_state_changed',
      'system/task_updated',
      'system/task_notification',
      'system/background_tasks_changed',
      'system/session_state_changed',
      'system/init',
      'assistant',
      'result/success',
      'system/session_state_changed',
    ]);
    expect(second[1]).toMatchObject({ task_id: taskId(), patch: { status: 'completed' } });
    expect(second[2]).toMatchObject({ status: 'completed', summary: 'all done', tool_use_id: 'T1', output_file: '' });
    expect(second[3]).toMatchObject({ tasks: [] });
    expect(second[7]).toMatchObject({ result: 'all done', origin: { kind: 'task-notification' } });
    expect(await outcome).toEqual({ isError: false });
  });

  test('of a subagent prevents the idle state', async () => {
    const { runTurn, end } = backgroundAgent('local_agent');
    const { session, turn, rest } = agentPeer({ runTurn, output: { stateEvents: 'all' } });
    void session.emit(user('go'));
    await turn();
    const said = rest();
    end();
    const states = (await said).flatMap(({ subtype, state }) => (subtype === 'session_state_changed' ? [state] : []));
    expect(states).toEqual(['idle']);
  });

  test('that throws fails with the text of the error', async () => {
    const { runTurn, end } = backgroundAgent('local_bash');
    const { session, turn, rest } = agentPeer({ runTurn });
    void session.emit(user('go'));
    await turn();
    const said = rest();
    end(new Error('broken'));
    expect(await said).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ subtype: 'task_notification', status: 'failed', summary: 'broken' }),
      ]),
    );
  });

  test('is stopped by the host without another turn', async () => {
    const { runTurn, taskId } = backgroundAgent('local_agent');
    const { session, turn, rest } = agentPeer({ runTurn, output: { stateEvents: 'all' } });
    void session.emit(user('go'));
    await turn();
    await expect(session.request({ subtype: 'stop_task', task_id: 'nobody' })).resolves.toEqual({});
    await session.request({ subtype: 'stop_task', task_id: taskId() });
    const messages = await rest();
    expect(kinds(messages)).toEqual([
      'system/task_updated',
      'system/task_notification',
      'system/background_tasks_changed',
      'system/session_state_changed',
    ]);
    expect(messages[1]).toMatchObject({ status: 'stopped' });
  });
});

describe('a prompt that arrives while a tool runs', () => {
  verifies('TRN-18', 'joins the turn when its loop takes it, and is reported as part of it', async () => {
    let arrived = () => {};
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    const runTurn: RunTurn = async function* (turn) {
      yield toolUse('Bash', 'T1');
      await hasArrived;
      yield toolResult('T1', 'slept');
      yield assistant(`${textOf(turn.prompt)} and ${(await turn.takeQueued()).map(textOf).join()}`);
    };
    const { session, until, rest } = agentPeer({ runTurn, output: { replayUserMessages: true } });
    const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    void session.emit(user('one', { uuid: one }));
    await until(({ type }) => type === 'assistant');
    void session.emit(user('two', { uuid: two }));
    await until(({ state }) => state === 'queued');
    arrived();
    const messages = await rest();
    expect(kinds(messages)).toEqual([
      'user',
      'user',
      'command_lifecycle/started',
      'assistant',
      'command_lifecycle/completed',
      'result/success',
      'command_lifecycle/completed',
    ]);
    expect(messages[1]).toMatchObject({ uuid: two, isReplay: true });
    expect(messages[4]).toMatchObject({ command_uuid: two });
    expect(messages[5]).toMatchObject({
      result: 'one and two',
      user_message_uuid: one,
      user_message_uuids: [one, two],
    });
  });

  verifies(['TRN-17', 'TRN-21'], 'does not join before a text that is only added to the conversation', async () => {
    const bothWait = createDeferred<void>();
    const histories: unknown[] = [];
    const runTurn: RunTurn = async function* (turn) {
      if (textOf(turn.prompt) === 'one') await bothWait.promise;
      const joined = (await turn.takeQueued()).length;
      histories.push([joined, turn.history.map(({ message }) => textOf((message as { content: unknown }).content))]);
      yield assistant('done');
    };
    const { session, until, rest } = agentPeer({ runTurn });
    void session.emit(user('one'));
    await until(({ subtype }) => subtype === 'init');
    void session.emit(user('context', { shouldQuery: false }));
    void session.emit(user('two', { uuid: '00000000-0000-4000-8000-000000000002' }));
    await until(({ state }) => state === 'queued');
    bothWait.settle();
    await rest();
    expect(histories).toEqual([
      [0, ['one']],
      [0, ['one', 'done', 'context', 'two']],
    ]);
  });
});

describe('a prompt that waits while hooks are asked about an earlier prompt', () => {
  const never = new Promise<never>(() => {});
  for (const [how, answer, leaves] of [
    ['its loop leaves', never, true],
    ['the hooks say so', { continue: false, stopReason: 'enough' }, false],
  ] as const) {
    verifies('TRN-16', `has its own turn if the running turn ends because ${how}`, async () => {
      const bothWait = createDeferred<void>();
      const isAsked = createDeferred<void>();
      const ran: string[] = [];
      const runTurn: RunTurn = async function* (turn) {
        ran.push(textOf(turn.prompt));
        yield assistant('working');
        if (ran.length > 1) return;
        await bothWait.promise;
        await Promise.race([turn.takeQueued(), leaves ? isAsked.promise : never]);
      };
      const hook_callback: RequestHandler = ({ input }) => {
        if ((input as { prompt: unknown }).prompt !== 'two') return {};
        isAsked.settle();
        return answer;
      };
      const { session, until } = agentPeer({ runTurn }, { hook_callback });
      await session.request({ subtype: 'initialize', hooks: { UserPromptSubmit: [{ hookCallbackIds: ['hook'] }] } });
      const [one, two, three] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
      void session.emit(user('one', { uuid: one }));
      await until(({ type }) => type === 'assistant');
      void session.emit(user('two', { uuid: two }));
      void session.emit(user('three', { uuid: three }));
      await until(({ state, command_uuid }) => state === 'queued' && command_uuid === three);
      bothWait.settle();
      const messages = await until(({ state, command_uuid }) => state === 'completed' && command_uuid === three);
      expect(ran).toEqual(['one', 'three']);
      const ends = messages.filter(({ state }) => state === 'completed' || state === 'cancelled');
      expect(ends).toMatchObject([two, one, three].map((command_uuid) => ({ command_uuid, state: 'completed' })));
    });
  }
});

describe('the owner of the process', () => {
  test('interrupts the turn, cancels the queued prompts and ends the session', async () => {
    const interrupted = new AbortController();
    const { session, until, outcome } = agentPeer({ runTurn: untilAborted, stopSignal: interrupted.signal });
    void session.emit(user('one'));
    void session.emit(user('two', { uuid: '00000000-0000-4000-8000-000000000002' }));
    await until(({ type }) => type === 'assistant');
    interrupted.abort();
    const messages = await until(() => false);
    expect(kinds(messages)).toEqual([
      'command_lifecycle/cancelled',
      'assistant',
      'user',
      'result/error_during_execution',
    ]);
    expect(await outcome).toEqual({ isError: true });
  });

  test('ends an idle session, even after its input has ended or before it has begun', async () => {
    const interrupted = new AbortController();
    const { outcome, rest } = agentPeer({ stopSignal: interrupted.signal });
    interrupted.abort();
    expect(await rest()).toEqual([]);
    expect(await outcome).toEqual({ isError: false });
    const ended = agentPeer({ stopSignal: interrupted.signal });
    expect(await ended.outcome).toEqual({ isError: false });
    const stop = new AbortController();
    const running = agentPeer({ runTurn: untilAborted, stopSignal: stop.signal });
    void running.session.emit(user('one'));
    const said = running.rest();
    await new Promise((resolve) => setTimeout(resolve));
    stop.abort();
    expect(kinds(await said).at(-1)).toBe('result/error_during_execution');
  });
});
