import type { WireMessage } from '@proto/core/framing';
import { RecentIds } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import { type Prompt, type PromptState, readPrompt } from './prompt.ts';

/** How many ids of prompts are remembered, the oldest forgotten first: 100 000. A prompt that comes again after that is run again. */
export const DEFAULT_MAX_REMEMBERED_PROMPTS = 100_000;

/**
 * Takes user messages: one whose `uuid` was taken before is not run again, and every one with a `uuid` is accounted for. Those
 * without are always new, and nothing is told of them.
 */
export interface PromptIntake {
  /** The prompt to run; `undefined` for a repeated one, which is acknowledged here. */
  take(message: WireMessage): Prompt | undefined;
  /** Tells that a prompt is not taken. It may come again. */
  refuse(message: WireMessage, reason: string): void;
  tell(prompt: Pick<Prompt, 'uuid'>, state: PromptState): void;
  /** Echoes a prompt whose turn has begun, where replay is on. */
  replay(prompt: Prompt): void;
}

type IntakeWire = Pick<AgentWire, 'options' | 'tell' | 'worker'>;

/** Makes the intake of one agent, whose store has the ids that were taken before. */
export function createPromptIntake({ options, tell: emit, worker }: IntakeWire): PromptIntake {
  const { replayUserMessages: replay = false, sessionStore: store } = options;
  const seen = new RecentIds(DEFAULT_MAX_REMEMBERED_PROMPTS);
  const taken: string[] = [];
  // The reason is told once for all that are refused in a row.
  let isRefusing = false;
  const write = (uuid: string, state: PromptState) => {
    emit({ type: 'command_lifecycle', command_uuid: uuid, state });
    worker?.reportPrompt(uuid, state);
  };
  const tellTaken = () => {
    for (const uuid of taken.splice(0)) write(uuid, 'queued');
  };
  const tell = (uuid: string, state: PromptState) => {
    tellTaken();
    write(uuid, state);
  };
  const echo = ({ uuid, message }: Prompt) => {
    if (replay && uuid !== undefined) {
      emit({ type: 'user', message: message['message'], parent_tool_use_id: null, uuid, isReplay: true });
    }
  };
  return {
    take(message) {
      const prompt = readPrompt(message);
      const { uuid } = prompt;
      isRefusing = false;
      if (uuid === undefined) return prompt;
      const isRepeated = seen.has(uuid);
      // Before it is queued, so that the same prompt sent twice at once runs once.
      seen.add(uuid);
      if (isRepeated || store?.has(uuid)) {
        // What became of it in this process is told, or will be.
        if (!isRepeated) tell(uuid, 'completed');
        echo(prompt);
        return undefined;
      }
      store?.add(uuid);
      // Behind the answers to requests that came in one piece with it: hosts expect that of `initialize` first.
      taken.push(uuid);
      queueMicrotask(tellTaken);
      return prompt;
    },
    refuse(message, reason) {
      const { uuid } = readPrompt(message);
      // One that was taken before is acknowledged as ever.
      if (uuid !== undefined && (seen.has(uuid) || store?.has(uuid))) return void this.take(message);
      if (uuid !== undefined) tell(uuid, 'refused');
      if (!isRefusing) emit({ type: 'system', subtype: 'informational', content: reason, level: 'warning' });
      isRefusing = true;
    },
    tell({ uuid }, state) {
      if (uuid !== undefined) tell(uuid, state);
    },
    replay: echo,
  };
}
