/** The view of any session is the same, however its messages reached the view. */
import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { expect } from 'vitest';
import { randomSession } from './random-session.test-support.ts';
import type { ViewEvent } from './session-view.ts';
import { asHost, asViewer, isIncrement, type Sent, shown, shownAtEnd, viewOf } from './view.test-support.ts';

const RUNS = 2000;

/** Cuts the link at some places. Increments that are sent while the link is down are lost. Everything else is sent again. */
function withCuts(session: readonly Sent[], cuts: readonly number[]): readonly ViewEvent[] {
  const starts = new Set(cuts.map((cut) => cut % (session.length + 1)));
  let left = 0;
  return session.flatMap((sent, index) => {
    if (starts.has(index)) left = 1 + (index % 7);
    const isDown = left > 0 && left-- > 0;
    const link: ViewEvent[] = starts.has(index) ? [{ link: 'down' }, { link: 'down' }, { link: 'up' }] : [];
    return isDown && isIncrement(sent.message) ? link : [...link, asViewer(sent)];
  });
}

verifies(
  'VIEW-1',
  'a session looks the same with and without partial messages, to a host and to a client, with and without cuts',
  () => {
    fc.assert(
      fc.property(randomSession, fc.array(fc.nat()), (session, cuts) => {
        const expected = shownAtEnd(viewOf(session.map(asHost)));
        expect(shownAtEnd(viewOf(session.map(asViewer)))).toEqual(expected);
        expect(shownAtEnd(viewOf(session.filter(({ message }) => !isIncrement(message)).map(asHost)))).toEqual(
          expected,
        );
        expect(shownAtEnd(viewOf(withCuts(session, cuts)))).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  },
);

verifies('VIEW-1', 'a session looks the same with and without partial messages after each complete message', () => {
  fc.assert(
    fc.property(randomSession, fc.nat(), (session, at) => {
      const whole = session.filter(({ message }) => !isIncrement(message));
      const complete = whole.filter(({ message }) => ['assistant', 'user', 'result'].includes(message.type));
      const last = complete[at % Math.max(1, complete.length)];
      if (last === undefined) return;
      const upTo = (list: readonly Sent[]) => list.slice(0, list.indexOf(last) + 1).map(asHost);
      expect(shown(viewOf(upTo(session)))).toEqual(shown(viewOf(upTo(whole))));
    }),
    { numRuns: RUNS },
  );
});

verifies('VIEW-4', 'a view shows each prompt, text and call of a session once and in order', () => {
  fc.assert(
    fc.property(randomSession, fc.array(fc.nat()), (session, cuts) => {
      const { turns, queue, unknown } = viewOf(withCuts(session, cuts)).getSnapshot();
      const items = turns.flatMap((turn) => turn.items);
      const sent = session.flatMap(({ message }) => (message.type === 'assistant' ? [message] : []));
      const blocks = (thread: unknown) =>
        sent
          .filter((message) => message['parent_tool_use_id'] === thread)
          .flatMap(({ message }) => Object(message).content);
      const textOf = ({ type, text, thinking, id }: Record<string, string>) => `${type}: ${text ?? thinking ?? id}`;
      const shownText = (item: (typeof items)[number]) =>
        item.kind === 'call'
          ? [`tool_use: ${item.id}`]
          : 'text' in item && item.kind !== 'notice'
            ? [`${item.kind}: ${item.text}`]
            : [];
      // A turn without a text shows the text of its result.
      const shownTexts = items.filter((item) => item.kind !== 'text' || item.text !== 'the result').flatMap(shownText);
      expect(shownTexts).toEqual(blocks(null).map(textOf));
      for (const item of items) {
        if (item.kind === 'call') expect(item.items.flatMap(shownText)).toEqual(blocks(item.id).map(textOf));
      }
      const prompts = session.filter(({ from, message }) => from === 'host' && message.type === 'user');
      const shownPrompts = [...items.filter(({ kind }) => kind === 'prompt'), ...queue].map(({ id }) => id);
      expect(new Set(shownPrompts)).toEqual(new Set(prompts.map(({ message }) => message['uuid'])));
      expect(shownPrompts).toHaveLength(prompts.length);
      expect(unknown.count).toBe(session.filter(({ message }) => message['subtype'] === 'not_known_yet').length);
    }),
    { numRuns: RUNS },
  );
});
