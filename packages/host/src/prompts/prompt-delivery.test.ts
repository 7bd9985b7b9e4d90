import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { PromptDeliveries, type PromptState, type SentPrompt } from './prompt-delivery.ts';
import { assistant, hostAndPuppet, result, settled } from '../puppet-agent.test-support.ts';
import { DEFAULT_MAX_FOLLOWED_PROMPTS } from '../state/session-tracker.ts';

/** A session that has sent a prompt, and the states of the prompt. */
async function prompted(uuid = 'U1') {
  const states: string[] = [];
  const { host, puppet } = hostAndPuppet({ onPrompt: (of, state) => states.push(`${of} ${state}`) });
  const sent = host.prompt('go', { uuid });
  const lifecycle = (state: string, of = uuid) => puppet.say({ type: 'command_lifecycle', command_uuid: of, state });
  await sent.accepted;
  return { host, puppet, sent, states, lifecycle };
}

describe('a prompt', () => {
  verifies('STATE-3', 'is accepted, delivered, started and done, with one report for each state', async () => {
    const { puppet, sent, states, lifecycle } = await prompted();
    expect(sent).toMatchObject({ uuid: 'U1', state: 'accepted' });
    for (const state of ['queued', 'queued', 'started', 'queued']) lifecycle(state);
    puppet.say(assistant('on it', { user_message_uuid: 'U1' }));
    await settled();
    expect(sent.state).toBe('started');
    puppet.say(result({ user_message_uuid: 'U1', user_message_uuids: ['U1'] }));
    lifecycle('completed');
    expect(await sent.outcome).toBe('done');
    await settled();
    expect(states).toEqual(['U1 accepted', 'U1 delivered', 'U1 started', 'U1 done']);
  });

  verifies('STATE-3', 'is cancelled if it is withdrawn or refused, or if its turn is interrupted', async () => {
    for (const end of ['cancelled', 'discarded', 'refused']) {
      const { sent, states, lifecycle } = await prompted();
      lifecycle('queued');
      lifecycle(end);
      expect(await sent.outcome).toBe('cancelled');
      expect(states).toEqual(['U1 accepted', 'U1 delivered', 'U1 cancelled']);
    }
    const { puppet, sent, lifecycle } = await prompted();
    puppet.say(result({ user_message_uuid: 'U1', terminal_reason: 'aborted_streaming', is_error: true }));
    lifecycle('cancelled');
    expect(await sent.outcome).toBe('cancelled');
  });

  verifies('STATE-3', 'is lost with the session, or if it cannot be sent', async () => {
    const { host, sent, states } = await prompted();
    host.abort();
    expect(await sent.outcome).toBe('lost');
    expect(states).toEqual(['U1 accepted', 'U1 lost']);
    const late = host.prompt('more');
    await expect(late.accepted).rejects.toMatchObject({ code: 'closed' });
    expect([await late.outcome, late.state]).toEqual(['lost', 'lost']);
  });

  verifies('STATE-4', 'is delivered when the agent replays it', async () => {
    const { puppet, sent, states } = await prompted();
    puppet.say({ type: 'user', uuid: 'U1', isReplay: true, message: { role: 'user', content: 'go' } });
    await settled();
    expect(sent.state).toBe('delivered');
    expect(states).toEqual(['U1 accepted', 'U1 delivered']);
  });

  verifies('STATE-3', 'that is sent again after its result keeps its outcome, as the agent runs it once', async () => {
    for (const [end, outcome] of [
      [{}, 'done'],
      [{ terminal_reason: 'aborted_streaming', is_error: true }, 'cancelled'],
    ] as const) {
      const { host, puppet, sent, states } = await prompted();
      puppet.say(result({ user_message_uuid: 'U1', ...end }));
      expect(await sent.outcome).toBe(outcome);
      const again = host.prompt('go', { uuid: 'U1' });
      await again.accepted;
      expect([await again.outcome, again.state]).toEqual([outcome, outcome]);
      expect(host.state).toMatchObject({ session: 'idle', prompts: [] });
      await host.endInput();
      expect(puppet.frames.filter(({ type }) => type === 'user')).toHaveLength(2);
      expect(states.filter((state) => state === `U1 ${outcome}`)).toHaveLength(1);
    }
  });

  test('ends at once if an earlier result has already named it', async () => {
    const { host, puppet } = hostAndPuppet();
    puppet.say(result({ user_message_uuids: ['theirs', 'U1'], user_message_uuid: 'U1' }));
    await vi.waitFor(() => expect(host.state.results).toBe(1));
    expect(await host.prompt('go', { uuid: 'U1' }).outcome).toBe('done');
    await host.endInput();
  });

  test('that is sent again before its result shares the outcome', async () => {
    const { host, puppet, sent } = await prompted();
    const again = host.prompt('go', { uuid: 'U1' });
    await again.accepted;
    const ended = host.endInput();
    puppet.say(result({ user_message_uuid: 'U1' }));
    expect([await sent.outcome, await again.outcome]).toEqual(['done', 'done']);
    await ended;
  });

  test('that was refused may be sent again, and is tracked again', async () => {
    const { host, puppet, sent, lifecycle } = await prompted();
    lifecycle('refused');
    expect(await sent.outcome).toBe('cancelled');
    const again = host.prompt('go', { uuid: 'U1' });
    await again.accepted;
    expect([again.state, host.state.prompts]).toEqual(['accepted', ['U1']]);
    puppet.say(result({ user_message_uuid: 'U1' }));
    expect(await again.outcome).toBe('done');
  });

  test('above the limit of tracked prompts is also done with its result', async () => {
    const { host, puppet } = hostAndPuppet();
    const sent = Array.from({ length: DEFAULT_MAX_FOLLOWED_PROMPTS + 1 }, () => host.prompt('go'));
    const last = sent.at(-1) as SentPrompt;
    puppet.say(result({ user_message_uuid: last.uuid }));
    expect(await last.outcome).toBe('done');
  });

  test('of an agent whose results name no prompts is done at the exit of the agent if it was sent', () => {
    const states: string[] = [];
    const deliveries = new PromptDeliveries({ onPrompt: (uuid, state) => states.push(`${uuid} ${state}`) });
    for (const uuid of ['A', 'B']) void deliveries.add(uuid, new Promise(() => {}));
    deliveries.advance('A', 'started');
    deliveries.end('done');
    expect(states.slice(-2)).toEqual(['A done', 'B lost']);
  });

  test('that waits for the handshake is held, and several prompts have separate states', async () => {
    const { host, puppet } = hostAndPuppet(
      { hooks: { PreToolUse: [{ hooks: [() => {}], onFailure: 'block' }] } },
      { initialize: false },
    );
    const [one, two] = [host.prompt('one'), host.prompt('two')];
    await settled();
    expect([one.state, two.state]).toEqual(['held', 'held']);
    expect(one.uuid).not.toBe(two.uuid);
    puppet.succeed(await puppet.asked('initialize'), { hook_on_failure_supported: true });
    await Promise.all([one.accepted, two.accepted]);
    puppet.say(result({ user_message_uuid: two.uuid, user_message_uuids: [two.uuid] }));
    expect(await two.outcome).toBe('done');
    expect(one.state).toBe('accepted');
  });
});

verifies(
  'STATE-3',
  'a prompt passes each state once and in order, and has one outcome, for any order of events',
  async () => {
    const steps = [
      'queued',
      'started',
      'completed',
      'cancelled',
      'echo',
      'named',
      'received',
      'processing',
      'result',
      'end',
    ] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps)), async (schedule) => {
        const states: PromptState[] = [];
        const deliveries = new PromptDeliveries({ onPrompt: (_, state) => states.push(state) });
        const sent = deliveries.add('U', Promise.resolve());
        const receive = (message: object, ended: string[] = []) =>
          deliveries.onMessage({ type: 'x', ...message }, ended, false);
        for (const step of [...schedule, 'end' as const]) {
          if (step === 'echo') receive({ type: 'user', isReplay: true, uuid: 'U' });
          else if (step === 'named') receive({ user_message_uuids: ['V', 'U'] });
          else if (step === 'result') receive({ type: 'result' }, ['U']);
          else if (step === 'end') deliveries.end('lost');
          else if (step === 'received' || step === 'processing') deliveries.reported('U', step);
          else receive({ type: 'command_lifecycle', command_uuid: 'U', state: step });
        }
        await sent.accepted;
        const order = ['accepted', 'delivered', 'started', 'done', 'cancelled', 'lost'];
        expect(states).toEqual([...new Set(states)].toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
        expect(states.filter((state) => order.indexOf(state) > 2)).toEqual([await sent.outcome]);
        expect(sent.state).toBe(states.at(-1));
      }),
    );
  },
);
