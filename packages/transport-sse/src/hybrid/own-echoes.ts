import { settledRequestOf } from '@proto/core/network';
import type { Incoming } from '@proto/core/transport';
import { answeredRequest, typeOf } from '../control-lines.ts';
import { ExpectedIds } from '../expected-ids.ts';

/** The server sends back posted messages, because it cannot associate a POST with a socket. */
export class OwnEchoes {
  readonly #sent = new ExpectedIds();
  readonly #answered = new ExpectedIds();

  /** Records a message that is about to be posted. */
  expect(id: string, text: string): void {
    const type = typeOf(text);
    const requestId = answeredRequest(type, text)?.request_id;
    if (typeof requestId === 'string') this.#answered.add(requestId);
    else this.#sent.add(id);
  }

  isOwn(item: Incoming): boolean {
    // An agent may repeat a prompt with the same id, to report that it has accepted the prompt.
    if (item.kind === 'message') {
      // Reading the id of a message requires parsing its text.
      if (item.source === 'worker' || this.#sent.isEmpty) return false;
      return item.id !== undefined && this.#sent.take(item.id);
    }
    if (item.kind !== 'notice') return false;
    const settled = settledRequestOf(item.event, item.data);
    return settled?.isAnswered === true && this.#answered.take(settled.requestId);
  }
}
