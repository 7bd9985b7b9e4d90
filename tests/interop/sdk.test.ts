import { describe, expect, test } from 'vitest';
import { runHost, type SeenMessage } from './run-host.ts';
import { kinds, results, runCleanly, streamed, texts, toolResults } from './sdk.test-support.ts';

describe.concurrent('the published SDK drives the agent', () => {
  test('with a string as the only prompt', async () => {
    const run = await runCleanly('one-shot');
    expect(kinds(run)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(run.messages[1]).toMatchObject({
      message: { role: 'assistant', content: [{ type: 'text', text: 'hello world' }] },
    });
    expect(run.messages[2]).toMatchObject({ result: 'hello world', is_error: false, num_turns: 1 });
    expect(new Set(run.messages.map(({ session_id }) => session_id)).size).toBe(1);
  });

  test('with partial messages', async () => {
    const run = await runCleanly('partial messages');
    expect(streamed(run)).toBe('a b c');
    const events = run.messages.map(({ type, event }) => event?.type ?? type);
    // The whole message is sent before the end of its block.
    expect(events.indexOf('assistant')).toBe(events.indexOf('content_block_stop') - 1);
    expect(events.at(-1)).toBe('result');
  });

  test('over several turns, with each prompt after the previous result', async () => {
    const run = await runCleanly('multi-turn');
    expect(results(run).map(({ result }) => result)).toEqual(['one', 'two', 'You said: three']);
  });

  test('with several prompts at once, after which the input ends', async () => {
    const run = await runCleanly('prompts at once');
    expect(texts(run)).toEqual(['one', 'two', 'three']);
    // The number of turns depends on how early each prompt arrived.
    expect(results(run).at(-1)).toMatchObject({ subtype: 'success', result: 'three' });
  });

  test('with prompts that wait for a turn to end and become one turn', async () => {
    const run = await runCleanly('prompts that wait');
    expect(texts(run).slice(1)).toEqual(['two', 'three']);
    expect(results(run)).toMatchObject([{ result: expect.stringMatching(/done$/) }, { result: 'three' }]);
  });

  test('with a prompt while a tool runs, which is answered in the same turn', async () => {
    const run = await runCleanly('a prompt while a tool runs');
    expect(texts(run)).toEqual(['The answer to "Which?" is "A".', 'folded']);
    expect(results(run)).toMatchObject([{ result: 'folded' }]);
  });

  test('with an interrupt, after which the session goes on', async () => {
    const run = await runCleanly('interrupt');
    expect(results(run)).toMatchObject([
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
      { subtype: 'success', result: 'still here' },
    ]);
    const [cut, marker] = run.messages.filter(({ type }) => type === 'assistant' || type === 'user');
    expect(cut).toMatchObject({ type: 'assistant', aborted: true });
    const partial = cut?.message?.content[0]?.text ?? '';
    expect(partial).toMatch(/^1 2 3 4 5 /);
    expect(streamed(run)).toBe(`${partial}still here`);
    expect(marker).toMatchObject({ type: 'user', message: { content: [{ text: '[Request interrupted by user]' }] } });
  });

  test('with an interrupt between turns, which is answered and does nothing', async () => {
    const run = await runCleanly('an interrupt of nothing');
    expect(run.messages[0]).toMatchObject({ reported: [{ still_queued: [] }, { still_queued: [] }] });
    expect(results(run)).toMatchObject([{ result: 'one' }, { result: 'two' }]);
  });

  test('with two interrupts of one turn, which are both answered', async () => {
    const run = await runCleanly('two interrupts, and no prompt after them');
    expect(run.messages[0]).toMatchObject({ reported: [{ still_queued: [] }, { still_queued: [] }] });
    expect(results(run)).toMatchObject([{ subtype: 'error_during_execution', num_turns: 2 }]);
    const text = 'Claude Code returned an error result: The turn was interrupted by the user.';
    expect(run.messages.at(-1)).toMatchObject({ type: 'thrown', message: { content: [{ text }] } });
  });

  test('and aborts the query in the middle of a turn', async () => {
    const run = await runCleanly('abort');
    expect(results(run)).toEqual([]);
    const text = 'Claude Code process aborted by user';
    expect(run.messages.at(-1)).toMatchObject({ type: 'thrown', message: { content: [{ text }] } });
  });

  test('and closes the query in the middle of a turn', async () => {
    const run = await runCleanly('close');
    expect(results(run)).toEqual([]);
  });

  test('and leaves the message loop in the middle of a turn', async () => {
    const run = await runCleanly('leaving the loop');
    expect(run.messages).toHaveLength(5);
  });

  test('and gives a permission with a changed input', async () => {
    const run = await runCleanly('a permission that is given');
    expect(toolResults(run)[0]).toMatchObject({ is_error: false, content: 'The answer to "Which?" is "B".' });
    expect(results(run)).toMatchObject([
      { subtype: 'success', result: 'The answer to "Which?" is "B".', num_turns: 2 },
    ]);
  });

  test('and refuses a permission, and the turn goes on with the reason', async () => {
    const run = await runCleanly('a permission that is refused');
    expect(toolResults(run)[0]).toMatchObject({ is_error: true, content: 'not today' });
    expect(results(run)).toMatchObject([
      { subtype: 'success', permission_denials: [{ tool_name: 'AskUserQuestion' }] },
    ]);
  });

  test('and throws while deciding, which refuses the permission', async () => {
    const run = await runCleanly('a permission callback that throws');
    expect(toolResults(run)[0]).toMatchObject({ is_error: true, content: expect.stringContaining('out of order') });
  });

  test('and interrupts while a permission request is open', async () => {
    const run = await runCleanly('an interrupt while a permission is asked for');
    expect(run.messages[0]).toEqual({ type: 'withdrawn', withdrawn: true });
    expect(results(run)).toMatchObject([
      { subtype: 'error_during_execution', terminal_reason: 'aborted_tools' },
      { subtype: 'success', result: 'still here' },
    ]);
  });

  test('and changes the model and the mode for the next turn', async () => {
    const run = await runCleanly('settings');
    expect(run.messages[0]).toEqual({ servers: [] });
    const shown = run.messages.filter(({ subtype }) => subtype === 'init');
    expect(shown).toMatchObject([
      { model: 'another', permissionMode: 'plan' },
      { model: 'default', permissionMode: 'plan' },
    ]);
  });

  test('and sends a prompt with an id twice, which runs once', async () => {
    const run = await runCleanly('prompts with an id');
    expect(results(run).map(({ result }) => result)).toEqual(['once']);
    const lives = run.messages.flatMap(({ type, state }) => (type === 'command_lifecycle' ? [state] : []));
    expect(lives).toEqual(['queued', 'started', 'completed']);
  });

  test('and resumes, forks and continues a session', async () => {
    const run = await runCleanly('a session that continues');
    expect(results(run).map(({ result }) => result)).toEqual(['one', 'two', 'three', 'four']);
    const [first, resumed, forked, continued] = results(run).map(({ session_id }) => session_id);
    expect(resumed).toBe(first);
    expect(forked).not.toBe(first);
    // `continue` takes the session that was written to last.
    expect(continued).toBe(forked);
  });

  test('and fills its session store, from which a session is listed, read, resumed, continued and forked', async () => {
    const run = await runCleanly('a session store');
    const [first, resumed, continued, forked] = results(run).map(({ session_id }) => session_id);
    expect(results(run).map(({ result }) => result)).toEqual([expect.any(String), 'two', 'three', 'four']);
    expect([resumed, continued]).toEqual([first, first]);
    expect(forked).not.toBe(first);
    const {
      listed,
      said,
      forked: saidInFork,
    } = Object(run.messages[0]?.reported) as Record<string, readonly SeenMessage[]>;
    expect(new Set(listed)).toEqual(new Set([first, forked]));
    const kindsOf = (messages: readonly SeenMessage[] = []) => messages.map(({ type }) => type);
    const turns = ['user', 'assistant', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant'];
    expect(kindsOf(said)).toEqual(turns);
    expect(kindsOf(saidInFork)).toEqual([...turns, 'user', 'assistant']);
    // The frames for the store do not appear among the messages.
    expect(kinds(run)).not.toContain('transcript_mirror');
  });

  test('and gets an error if it resumes an unknown session', async () => {
    const run = await runHost('an unknown session');
    const missing = 'No conversation found with session ID: 00000000-0000-4000-8000-000000000000';
    expect(run.messages).toMatchObject([
      { type: 'result', subtype: 'error_during_execution', errors: [missing] },
      { type: 'thrown', message: { content: [{ text: `Claude Code returned an error result: ${missing}` }] } },
    ]);
  });

  test("and drives a user's own agent with its flags", async () => {
    const run = await runCleanly("an agent of a user's own");
    expect(results(run)).toMatchObject([{ result: '[{"type":"text","text":"hello"}] in 3 turns' }]);
  });

  test('and reads the answer to initialize', async () => {
    const run = await runCleanly('initialization result');
    expect(run.messages).toMatchObject([
      { commands: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]), output_style: 'default' },
    ]);
  });
});
