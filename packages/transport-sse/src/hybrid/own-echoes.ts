import { settledRequestOf } from '@proto/core/network';
import type { Incoming } from '@proto/core/transport';
import { answeredRequest, typeOf } from '../control-lines.ts';
import { ExpectedIds } from '../expected-ids.ts';

/**
 * Recognises the messages of a viewer that the server sends back to it. The server leaves out messages from the same socket, but cannot relate a POST
 * to a socket.
 */
export class OwnEchoes {
  readonly #sent = new ExpectedIds();
  readonly #answered = new ExpectedIds();

  /** Notes a message that is about to be posted. */
  expect(id: string, text: string): void {
    const type = typeOf(text);
    const requestId = answeredRequest(type, text)?.request_id;
    if (typeof requestId === 'string') this.#answered.add(requestId);
    else this.#sent.add(id);
  }

  /** Whether an item repeats what this side has sent. */
  isOwn(item: Incoming): boolean {
    // An agent may repeat a prompt with its id, to report that it has taken the prompt.
    if (item.kind === 'message') {
      // The id of a message is read from its text, which costs a parse.
      if (item.source === 'worker' || this.#sent.isEmpty) return false;
      return item.id !== undefined && this.#sent.take(item.id);
    }
    if (item.kind !== 'notice') return false;
    const settled = settledRequestOf(item.event, item.data);
    return settled?.isAnswered === true && this.#answered.take(settled.requestId);
  }
}
