import { words } from '../command.ts';

/** A line that is no command: answered by telling it back. */
export async function* say(line: string): AsyncGenerator<string, void, undefined> {
  yield* words(`You said: ${line}`);
}
