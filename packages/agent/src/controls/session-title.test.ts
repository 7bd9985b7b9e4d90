import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { agentPeer } from '../agent-peer.test-support.ts';
import type { AgentOptions } from '../agent-options.ts';
import type { SessionTitle } from '../transcript/session-mirror.ts';

/** A host that asks for titles, and the titles that the agent has stored. */
function titledPeer(options: Partial<AgentOptions> = {}) {
  const stored: SessionTitle[] = [];
  const store = { has: () => false, add: () => {}, setTitle: (title: SessionTitle) => void stored.push(title) };
  const { session } = agentPeer({ ...options, session: { store, ...options.session } });
  const generate = (description: unknown, persist?: boolean) =>
    session.request<{ title: string | null }>({ subtype: 'generate_session_title', description, persist });
  return { session, stored, generate };
}

describe('a host that asks for a title', () => {
  verifies(
    'AGENT-21',
    'gets the first line of the description, and the agent stores the title only if asked to',
    async () => {
      const { generate, stored } = titledPeer();
      await expect(generate('\n  Fix   the login page\nIt is broken.')).resolves.toEqual({
        title: 'Fix the login page',
      });
      expect(stored).toEqual([]);
      await expect(generate('Fix the login page', true)).resolves.toEqual({ title: 'Fix the login page' });
      expect(stored).toEqual([{ title: 'Fix the login page', source: 'agent' }]);
    },
  );

  test.each([
    ['at 60 characters', 'x'.repeat(60), 'x'.repeat(60)],
    ['after a word', `${'word '.repeat(12)}end`, `${'word '.repeat(11)}word…`],
    ['within a long word', 'y'.repeat(61), `${'y'.repeat(59)}…`],
    ['before a surrogate pair', '😀'.repeat(61), `${'😀'.repeat(59)}…`],
  ])('gets a long line cut %s', async (_, description, title) => {
    const answer = await titledPeer().generate(description);
    expect(answer).toEqual({ title });
    expect(Array.from(title).length).toBeLessThanOrEqual(60);
  });

  test('gets no title for a blank description, and an error for no description', async () => {
    const { generate, stored } = titledPeer();
    await expect(generate(' \n\t', true)).resolves.toEqual({ title: null });
    await expect(generate(undefined)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(stored).toEqual([]);
  });

  test('gets the title of the agent, whose function can be cancelled', async () => {
    const signals: AbortSignal[] = [];
    const { generate } = titledPeer({
      session: {
        generateTitle: async (description, { signal }) => {
          signals.push(signal);
          return `About ${description}`;
        },
      },
    });
    await expect(generate('tea')).resolves.toEqual({ title: 'About tea' });
    expect(signals[0]?.aborted).toBe(false);
  });

  verifies('AGENT-21', 'gets the title of the user, also if the user renames the session in the meantime', async () => {
    let finish = (_: string) => {};
    let started = () => {};
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const { generate, stored, session } = titledPeer({
      session: {
        generateTitle: () => {
          started();
          return new Promise<string>((resolve) => (finish = resolve));
        },
      },
    });
    const generated = generate('tea', true);
    await isStarted;
    await session.request({ subtype: 'rename_session', title: 'By hand' });
    finish('By the agent');
    await expect(generated).resolves.toEqual({ title: 'By hand' });
    await expect(generate('more tea', true)).resolves.toEqual({ title: 'By hand' });
    expect(stored).toEqual([{ title: 'By hand', source: 'user' }]);
  });

  test('gets the error of a store that cannot store the title', async () => {
    const setTitle = () => {
      throw new Error('disk full');
    };
    const { generate } = titledPeer({ session: { store: { has: () => false, add: () => {}, setTitle } } });
    await expect(generate('tea', true)).rejects.toThrow('disk full');
  });
});
