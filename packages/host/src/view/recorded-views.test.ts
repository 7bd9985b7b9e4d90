/** The view of every recorded session is the same, however its messages reached the view. */
import { readdirSync } from 'node:fs';
import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { recordedLines } from '../recorded.test-support.ts';
import { createSessionFollower } from '../state/session-follower.ts';
import { createSessionView, type ViewEvent } from './session-view.ts';
import { asHost, asViewer, isIncrement, type Sent, shown, shownAtEnd, viewOf } from './view.test-support.ts';

const NAMES = readdirSync(new URL('../../../core/testdata/transcripts/', import.meta.url))
  .filter((file) => file.endsWith('.ndjson'))
  .map((file) => file.replace('.ndjson', ''));

/** The messages of a recording up to the last complete one. Lines that are not messages do not reach a view. */
function recordedSession(name: string): readonly Sent[] {
  const session = recordedLines(name).flatMap(({ dir, line }): Sent[] => {
    const message = parsed(line);
    return message === undefined ? [] : [{ from: dir === 'from-agent' ? 'agent' : 'host', message }];
  });
  return session.slice(0, session.findLastIndex(({ message }) => !isIncrement(message)) + 1);
}

/** The same session, with an id for each prompt, as every host of this library and every server gives it: the id that the agent's echo has, if any. */
function sessionWithIds(name: string): readonly Sent[] {
  const session = recordedSession(name);
  const echoes = session.filter(({ from, message }) => from === 'agent' && message['isReplay'] === true);
  return session.map(({ from, message }, index) => {
    if (from === 'agent' || message.type !== 'user') return { from, message };
    const echo = echoes.find((one) => contentOf(one.message) === contentOf(message));
    return { from, message: { uuid: echo?.message['uuid'] ?? `p${index}`, ...message } };
  });
}

function parsed(line: string): WireMessage | undefined {
  try {
    const message = JSON.parse(line) as WireMessage | null;
    return typeof message?.type === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function contentOf({ message }: WireMessage): string {
  return JSON.stringify(Object(message).content);
}

verifies(
  'VIEW-1',
  'a recorded session looks the same with and without partial messages, after each complete message',
  () => {
    for (const name of NAMES) {
      const session = recordedSession(name);
      const whole = session.filter(({ message }) => !isIncrement(message));
      for (const [index, { message }] of session.entries()) {
        if (!['assistant', 'user', 'result'].includes(message.type)) continue;
        const before = whole.slice(0, whole.findIndex((one) => one.message === message) + 1);
        expect(shown(viewOf(session.slice(0, index + 1).map(asHost))), `${name}, message ${index}`).toEqual(
          shown(viewOf(before.map(asHost))),
        );
      }
      expect(shownAtEnd(viewOf(session.map(asHost))), name).toEqual(shownAtEnd(viewOf(whole.map(asHost))));
    }
  },
);

verifies('VIEW-1', 'a recorded session looks the same to its host and to a client of a server', () => {
  for (const name of NAMES) {
    const session = sessionWithIds(name);
    expect(shownAtEnd(viewOf(session.map(asHost))), name).toEqual(shownAtEnd(viewOf(session.map(asViewer))));
  }
});

verifies('VIEW-1', 'a recorded session looks the same wherever its link was cut', () => {
  for (const name of NAMES) {
    const session = sessionWithIds(name);
    const expected = shownAtEnd(viewOf(session.map(asViewer)));
    for (let cut = 0; cut <= session.length; cut++) {
      // Increments that are sent while the link is down are lost. Everything else is sent again.
      const after = session.slice(cut).findIndex(({ message }) => !isIncrement(message));
      const rest = after < 0 ? [] : session.slice(cut + after);
      const events: ViewEvent[] = [
        ...session.slice(0, cut).map(asViewer),
        { link: 'down' },
        { link: 'up' },
        ...rest.map(asViewer),
      ];
      expect(shownAtEnd(viewOf(events)), `${name}, cut at ${cut}`).toEqual(expected);
    }
  }
});

test('the status is the one that a host session derives, after each message of each recording', () => {
  for (const name of NAMES) {
    const follower = createSessionFollower();
    const view = createSessionView();
    for (const [index, sent] of sessionWithIds(name).entries()) {
      const { from, message } = sent;
      view.track(asHost(sent));
      // A prompt without content is not sent by a host of this library, and not shown.
      if (from === 'host' && message.type === 'user' && contentOf(message) !== undefined)
        follower.track({ prompt: String(message['uuid']) });
      else if (from === 'agent') follower.track({ message });
      follower.track({ questions: view.getSnapshot().questions.length });
      expect(view.getSnapshot().status, `${name}, message ${index}`).toBe(follower.state.session);
    }
  }
});

test('every message of every recording is known', () => {
  const unknown = NAMES.flatMap((name) => viewOf(recordedSession(name).map(asHost)).getSnapshot().unknown.last);
  expect(unknown.map(({ type, subtype }) => `${type}/${String(subtype)}`)).toEqual([]);
});
