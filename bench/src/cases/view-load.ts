import { createSessionView } from '@proto/host/view';
import type { Case } from '../case.ts';
import { viewedMessages } from '../viewed-messages.ts';

/** Shows a whole session, as a page does that opens a long conversation. Prints how long it takes, without parsing. */
export const run: Case = ([count]) => {
  const messages = viewedMessages(Number(count));
  // The garbage of the input is not the work of the view.
  globalThis.gc?.();
  const view = createSessionView();
  const before = performance.now();
  for (const message of messages) view.track({ message });
  const { turns } = view.getSnapshot();
  const ms = performance.now() - before;
  if (turns.length !== Number(count) / 5) throw new Error(`the view has ${turns.length} turns`);
  return { ms };
};
