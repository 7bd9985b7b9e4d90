import type { WireMessage } from '@proto/core';
import type { Action } from './action.ts';
import { reply } from './reply.ts';
import type { Thread } from './thread.ts';
import { TurnEnd } from './turn-end.ts';
import { words } from './words.ts';

// Of what the tools gave. Whoever wants all of it finds it in their results.
const MAX_TOLD_CHARACTERS = 2000;

/** Does what one reply decides; where it called tools, a second one tells what came of that. */
export async function* act(actions: readonly Action[], thread: Thread): AsyncGenerator<WireMessage, void, undefined> {
  const told = yield* reply(actions, thread);
  if (told !== '' && !thread.isOver) {
    yield* reply([{ kind: 'say', pieces: words(bounded(told)) }], thread);
  }
  for (const action of actions) {
    if (action.kind === 'structure') thread.wanted = action;
    if (action.kind !== 'end' || thread.isOver) continue;
    yield* action.messages ?? [];
    throw new TurnEnd(action.result);
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_TOLD_CHARACTERS) return text;
  return `${text.slice(0, MAX_TOLD_CHARACTERS)}… (${text.length - MAX_TOLD_CHARACTERS} characters more)`;
}
