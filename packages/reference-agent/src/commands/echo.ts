import { words } from '../command.ts';

/** `/echo TEXT`: answers TEXT. */
export async function* echo(text: string): AsyncGenerator<string, void, undefined> {
  yield* words(text);
}
