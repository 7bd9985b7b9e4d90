import { cutText } from '@proto/core/framing';
import type { WireMessage } from '@proto/core/framing';
import { type Action, TurnEnd } from '../actions.ts';
import { actionsOf, parsePrompt } from '../commands/parse-prompt.ts';
import { splitWords } from './blocks.ts';
import { streamReply } from './stream-reply.ts';
import type { TurnContext } from './turn-context.ts';

// How many characters of the tool results the second reply repeats. The results themselves contain the whole text.
const MAX_REPEATED_CHARACTERS = 2000;

/** Runs the actions of one reply. After tool calls, a second reply repeats their results. */
export async function* runActions(
  actions: readonly Action[],
  context: TurnContext,
): AsyncGenerator<WireMessage, void, undefined> {
  const results = yield* streamReply(actions, context);
  if (results !== '' && !context.isOver) {
    yield* streamReply([{ kind: 'say', pieces: splitWords(shortened(results)) }], context);
  }
  for (const action of actions) {
    if (action.kind === 'structure') context.requestedOutput = action;
    if (action.kind !== 'end' || context.isOver) continue;
    yield* action.messages ?? [];
    throw new TurnEnd(action.result);
  }
}

function shortened(text: string): string {
  if (text.length <= MAX_REPEATED_CHARACTERS) return text;
  return `${cutText(text, MAX_REPEATED_CHARACTERS)}… (${text.length - MAX_REPEATED_CHARACTERS} more characters)`;
}

/** Runs the commands of a text, one step after the other, until the last step or an interrupt. */
export async function* runCommands(text: string, context: TurnContext): AsyncGenerator<WireMessage, void, undefined> {
  for (const lines of parsePrompt(text)) {
    if (context.isOver) return;
    yield* runActions(
      lines.flatMap((line) => actionsOf(line, context.turn.signal)),
      context,
    );
  }
}
