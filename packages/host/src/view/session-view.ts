import type { WireMessage } from '@proto/core/framing';
import { requestIdOf, isRecord } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import type { HostSession, HostSessionOptions } from '../host-options.ts';
import type { PromptState, SentPrompt } from '../prompts/prompt-delivery.ts';
import { promptIn } from './conversation.ts';
import { ReadingOrder } from './reading-order.ts';
import { ViewedSession } from './viewed-session.ts';
import type { SessionSnapshot } from './snapshot.ts';

/** Something that happened in a session. */
export type ViewEvent =
  /** A message that a host received: from the agent, or from another client of the session. */
  | { readonly message: WireMessage }
  /** A message that a host sent to the agent. Needed only for recordings: a view sends its own prompts with `prompt`. */
  | { readonly sent: WireMessage }
  /** The state of a prompt has changed. */
  | { readonly prompt: string; readonly state: PromptState }
  /** The connection was lost, or is up again. */
  | { readonly link: 'up' | 'down' }
  /** No more messages can arrive. */
  | { readonly ended: true; readonly error?: unknown };

/** The limits of a view, and the dialogs that it shows. */
export interface SessionViewOptions {
  /**
   * The maximum number of items of the turns that have ended. When there are more, the oldest turns are dropped, and `isTruncated` of the snapshots is
   * true. Default 100 000.
   */
  readonly maxItems?: number;
  /** The kinds of dialogs of the agent that the program can show, as questions with the kind `dialog`. Default: none. */
  readonly dialogKinds?: readonly string[];
}

/** A session as something to show: a store with snapshots that never change, for any user interface. */
export interface SessionView {
  /** Calls the function after each change. Returns a function that stops the calls. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Returns the current snapshot: the same object until something changes. */
  readonly getSnapshot: () => SessionSnapshot;
  /**
   * The callbacks that connect a host session to the view: pass them to `createHostSession`. The view then shows the agent's questions, the state of
   * the connection and the states of the prompts.
   */
  readonly callbacks: Required<
    Pick<HostSessionOptions, 'canUseTool' | 'onElicitation' | 'dialogs' | 'onLink' | 'onPrompt'>
  >;
  /**
   * Reads the messages of a host session until it ends. Fulfils then, and never rejects: an error is in `link` of the snapshot.
   *
   * @throws {TypeError} if the view already shows another session
   */
  follow(session: HostSession): Promise<void>;
  /**
   * Sends a prompt to the session that the view follows, and shows it at once. `members` are added to the message, as for `HostSession.prompt`.
   *
   * @throws {TypeError} if the view follows no session
   */
  prompt(content: PromptContent, members?: Readonly<Record<string, unknown>>): SentPrompt;
  /**
   * Adds an event, for a session that no host session reads, such as a recording. `at` is the time of the event in milliseconds since 1970. Default:
   * now.
   */
  track(event: ViewEvent, at?: number): void;
}

/**
 * Creates a view of a session in which nothing has happened yet.
 *
 * @example
 * ```ts
 * import { createHostSession } from '@proto/host';
 * import { createSessionView } from '@proto/host/view';
 * import { webSocket } from '@proto/transport-websocket';
 *
 * const view = createSessionView();
 * const session = createHostSession(webSocket('wss://agents.example/v1/code/sessions/cse_1'), view.callbacks);
 * void view.follow(session);
 * view.subscribe(() => console.log(view.getSnapshot().turns.at(-1)));
 * view.prompt('Run the tests');
 * ```
 */
export function createSessionView({ maxItems = 100_000, dialogKinds = [] }: SessionViewOptions = {}): SessionView {
  const listeners = new Set<() => void>();
  const viewed = new ViewedSession(maxItems, () => {
    for (const listener of listeners) listener();
  });
  let followed: HostSession | undefined;
  const order = new ReadingOrder();
  const inOrder = (run: () => void) => order.after(followed?.counters.messages ?? 0, run);
  const { questions } = viewed;
  return {
    subscribe(onChange) {
      // A new function each time, so that the same function can be given twice.
      const listener = () => onChange();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => viewed.snapshot(),
    callbacks: {
      canUseTool: (request, context) => questions.ask('permission', request, context),
      onElicitation: (request, context) => questions.ask('elicitation', request, context),
      dialogs: Object.fromEntries(
        dialogKinds.map((kind) => [kind, (request, context) => questions.ask('dialog', request, context)]),
      ),
      onLink: ({ state }) => inOrder(() => viewed.link(state, Date.now())),
      onPrompt: (uuid, state) => inOrder(() => viewed.promptState(uuid, state)),
    },
    async follow(session) {
      if (followed !== undefined) throw new TypeError('this view already follows a session');
      followed = session;
      // Messages that another reader has taken will not be read here.
      order.advance(session.counters.messages);
      viewed.link('connecting', Date.now());
      void session.transport.opened.then(() => viewed.link('up', Date.now())).catch(() => {});
      let error: unknown;
      try {
        for await (const message of session) {
          viewed.received(message, Date.now());
          order.advance(1);
        }
      } catch (thrown) {
        error = thrown;
      }
      order.advance(Infinity);
      viewed.link('ended', Date.now(), error);
    },
    prompt(content, members) {
      if (followed === undefined) throw new TypeError('call follow(session) first');
      const sent = followed.prompt(content, members);
      viewed.addPrompt(content, sent.uuid, sent.state);
      return sent;
    },
    track(event, at = Date.now()) {
      if ('message' in event) viewed.received(event.message, at);
      else if ('sent' in event) trackSent(viewed, event.sent);
      else if ('prompt' in event) viewed.promptState(event.prompt, event.state);
      else if ('link' in event) viewed.link(event.link, at);
      else viewed.link('ended', at, event.error);
    },
  };
}

function trackSent(viewed: ViewedSession, message: WireMessage): void {
  const { type, response, uuid } = message;
  if (type === 'control_response' && isRecord(response)) viewed.questions.close(String(requestIdOf(response)));
  if (type !== 'user') return;
  const content = promptIn(message);
  if (content !== undefined) viewed.addPrompt(content, typeof uuid === 'string' ? uuid : undefined, 'accepted');
}
