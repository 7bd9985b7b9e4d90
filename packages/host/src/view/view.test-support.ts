import type { WireMessage } from '@proto/core/framing';
import { createSessionView, type SessionView, type ViewEvent } from './session-view.ts';
import type { SessionSnapshot } from './snapshot.ts';

/** An event of a session as a recording has it: a message, and the side that sent it. */
export interface Sent {
  readonly from: 'agent' | 'host';
  readonly message: WireMessage;
}

const INCREMENTS = ['stream_event', 'thinking_tokens'];

/** Whether the agent sends the message only with partial messages. */
export function isIncrement({ type, subtype, status }: WireMessage): boolean {
  return INCREMENTS.includes(String(type === 'system' ? subtype : type)) || status === 'requesting';
}

/** The events of a host that started the agent itself. */
export const asHost = ({ from, message }: Sent): ViewEvent => (from === 'agent' ? { message } : { sent: message });

/** The events of a client that follows a session on a server: every prompt arrives as a message, also its own. */
export const asViewer = ({ from, message }: Sent): ViewEvent =>
  from === 'agent' || message.type === 'user' ? { message } : { sent: message };

export function viewOf(events: Iterable<ViewEvent>): SessionView {
  const view = createSessionView();
  let at = 0;
  for (const event of events) view.track(event, ++at);
  return view;
}

const TIMES = ['startedAt', 'endedAt', 'askedAt', 'since'];

/** What a snapshot shows, without times and functions, and without what depends on increments. */
export function shown({ getSnapshot }: SessionView): unknown {
  const { streaming: _streaming, activity: _activity, ...rest } = getSnapshot();
  return withoutTimes(rest);
}

/** The same, at the end of a session: nothing is being written, and a link that is up. */
export function shownAtEnd(view: SessionView): unknown {
  const { streaming, activity }: SessionSnapshot = view.getSnapshot();
  return { ...Object(shown(view)), link: undefined, streaming, activity };
}

function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) => {
      if (TIMES.includes(name)) return undefined;
      // A host knows that it has queued a prompt, and a server confirms each prompt that it shows to its clients.
      return name === 'state' && member === 'accepted' ? 'delivered' : member;
    }),
  );
}
