import type { WireMessage } from '@proto/core';
import { act } from './act.ts';
import { actionsOf, parsePrompt } from './parse-prompt.ts';
import type { Thread } from './thread.ts';

/** Runs the commands of a text, one step after the other, until they are done or the turn is interrupted. */
export async function* runCommands(text: string, thread: Thread): AsyncGenerator<WireMessage, void, undefined> {
  for (const lines of parsePrompt(text)) {
    if (thread.isOver) return;
    yield* act(
      lines.flatMap((line) => actionsOf(line, thread.turn.signal)),
      thread,
    );
  }
}
