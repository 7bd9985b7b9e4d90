import type { WireMessage } from '@proto/core/framing';
import { RecentIds } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import { type Prompt, type PromptState, readPrompt } from './prompt.ts';

/** The oldest id is dropped first. If a prompt with a dropped id is sent again, the prompt runs again unless `session.store` knows the id. */
const DEFAULT_MAX_REMEMBERED_PROMPTS = 100_000;

/**
 * Accepts user messages. A message whose `uuid` was accepted before does not run again. Each state of a message with a `uuid` is reported to the
 * host. A message without a `uuid` always runs, and its states are not reported.
 */
export interface PromptIntake {
  /** Returns the prompt to run. Returns `undefined` for a repeated prompt, after acknowledging it to the host. */
  take(message: WireMessage): Prompt | undefined;
  /** The host may send the same prompt again. */
  refuse(message: WireMessage, reason: string): void;
  report(prompt: Pick<Prompt, 'uuid'>, state: PromptState): void;
  /** Echoes a prompt whose turn has begun, if `replayUserMessages` is on. */
  replay(prompt: Prompt): void;
}

type IntakeWire = Pick<AgentWire, 'options' | 'send' | 'worker'>;

/** The ids of prompts that were accepted earlier come from the session store. */
export function createPromptIntake({ options, send: emit, worker }: IntakeWire): PromptIntake {
  const { output: { replayUserMessages: replay = false } = {}, session: { store } = {}, onMessageType } = options;
  const seen = new RecentIds(DEFAULT_MAX_REMEMBERED_PROMPTS);
  const taken: string[] = [];
  // The reason is reported once for all prompts that are refused in a row.
  let isRefusing = false;
  const write = (uuid: string, state: PromptState) => {
    emit({ type: 'command_lifecycle', command_uuid: uuid, state });
    worker?.reportPrompt(uuid, state);
  };
  const reportTaken = inOrder(taken, (uuid) => write(uuid, 'queued'));
  const report = (uuid: string, state: PromptState) => {
    reportTaken();
    write(uuid, state);
  };
  const echo = ({ uuid, message }: Prompt) => {
    // The echo of a prompt without an id gets a new id, like every other message.
    const id = uuid === undefined ? {} : { uuid };
    if (replay) emit({ type: 'user', message: message['message'], parent_tool_use_id: null, ...id, isReplay: true });
  };
  return {
    take(message) {
      const prompt = readPrompt(message);
      const { uuid } = prompt;
      isRefusing = false;
      if (uuid === undefined) return prompt;
      const isRepeated = seen.has(uuid);
      // The id is added before the prompt is queued, so that a prompt that is sent twice in a row runs only once.
      seen.add(uuid);
      if (isRepeated || store?.has(uuid)) {
        // Reported only for a prompt from an earlier process: this process itself reports the states of all other prompts.
        if (!isRepeated) report(uuid, 'completed');
        echo(prompt);
        onMessageType?.({ type: message.type, dropped: 'duplicate' });
        return undefined;
      }
      store?.add(uuid);
      // Sent after the answers to requests that arrived together with the prompt, because hosts expect the answer to `initialize` first.
      taken.push(uuid);
      queueMicrotask(reportTaken);
      return prompt;
    },
    refuse(message, reason) {
      const { uuid } = readPrompt(message);
      // A prompt that was accepted before is acknowledged again.
      if (uuid !== undefined && (seen.has(uuid) || store?.has(uuid))) return void this.take(message);
      if (uuid !== undefined) report(uuid, 'refused');
      if (!isRefusing) emit({ type: 'system', subtype: 'informational', content: reason, level: 'warning' });
      isRefusing = true;
    },
    report({ uuid }, state) {
      if (uuid !== undefined) report(uuid, state);
    },
    replay: echo,
  };
}

/**
 * Returns a function that takes all items from the list, and passes each to `report`. `report` may call the function again, because a write may make
 * room for a request that withdraws one of the prompts.
 */
function inOrder<T>(items: T[], report: (item: T) => void): () => void {
  let reported = 0;
  return () => {
    while (reported < items.length) report(items[reported++] as T);
    items.length = reported = 0;
  };
}
