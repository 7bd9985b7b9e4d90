import type { Session } from '@proto/core';
import { type PromptContent, Uuids } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import type { Handshake } from '../handshake/handshake.ts';
import { type InputState, MAX_SILENCE_BEFORE_IDLE_MS, mayEndInput } from './input-end.ts';
import type { PromptDeliveries, SentPrompt } from './prompt-delivery.ts';
import type { SessionEvent } from '../state/session-tracker.ts';

/** What speaks for or against an end, beside prompts that wait here. */
export interface HostInputState extends Omit<InputState, 'promptsEnded'> {
  /** Every prompt has its result, and nothing is known to go on; the agent may not have said so. */
  readonly isSettled: boolean;
}

/** What prompts wait for, where they go, and what speaks against an end. */
export interface HostInputOptions {
  readonly session: Pick<Session, 'emit' | 'end'>;
  readonly handshake: Pick<Handshake, 'held'>;
  /** Aborts when the session is over. */
  readonly signal: AbortSignal;
  readonly track: (event: SessionEvent) => void;
  readonly state: () => HostInputState;
  /** Whether no turn of a prompt will come, because it had one. */
  readonly isOver: (uuid: string) => boolean;
  readonly deliveries: Pick<PromptDeliveries, 'add'>;
}

/** The agent's input as a host uses it: prompts in order, and an end that comes when nothing speaks against it any more. */
export interface HostInput {
  prompt(content: PromptContent, members: Readonly<Record<string, unknown>>): SentPrompt;
  /** No more prompts. Fulfils when the input has ended, or nothing is left of it. */
  end(): Promise<void>;
  /** Something has changed that may have stood against the end. */
  check(): void;
}

/** Makes the input of one session. */
export function createHostInput(options: HostInputOptions): HostInput {
  const { session, handshake, signal, track, state, isOver, deliveries } = options;
  const uuids = new Uuids();
  let waiting = 0;
  let ended: Promise<void> | undefined;
  let settle: () => void = () => {};
  let isEnding = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => {
    clearTimeout(silence);
    settle();
  });
  /** Behind what came in together with what made it due: that may hold a request. */
  const check = () => {
    if (ended !== undefined) queueMicrotask(endIfDue);
  };
  const endIfDue = () => {
    if (isEnding || signal.aborted) return;
    clearTimeout(silence);
    const { isSettled, ...rest } = state();
    const now = { ...rest, promptsEnded: waiting === 0 };
    if (mayEndInput(now)) end();
    // Whatever comes begins it anew.
    else if (mayEndInput({ ...now, isIdle: isSettled })) silence = setTimeout(end, MAX_SILENCE_BEFORE_IDLE_MS);
  };
  const end = () => {
    isEnding = true;
    session.end().then(settle, settle);
  };
  async function send(uuid: string, content: PromptContent, members: object): Promise<void> {
    if (ended !== undefined) throw new TransportError('closed', 'prompt after endInput');
    waiting++;
    try {
      // What nothing holds goes out now.
      if (handshake.held !== undefined) await handshake.held;
      const message = { role: 'user', content };
      const written = session.emit({
        type: 'user',
        session_id: '',
        message,
        parent_tool_use_id: null,
        ...members,
        uuid,
      });
      track({ prompt: uuid });
      await written.catch((error: unknown) => {
        track({ unsent: uuid });
        throw error;
      });
    } finally {
      waiting--;
      check();
    }
  }
  return {
    prompt(content, members) {
      const { uuid = uuids.next() } = members as { readonly uuid?: string };
      return deliveries.add(uuid, send(uuid, content, members), isOver(uuid));
    },
    end() {
      ended ??= new Promise((resolve) => {
        settle = resolve;
      });
      if (signal.aborted) settle();
      check();
      return ended;
    },
    check,
  };
}
