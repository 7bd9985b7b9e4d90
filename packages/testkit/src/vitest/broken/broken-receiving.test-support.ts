import {
  type Incoming,
  type IncomingMessage,
  incomingMessage,
  type Transport,
  TransportError,
} from '@proto/core/transport';
import { Around, faultyIteration, mapped } from './around.test-support.ts';
import { createStore } from './store.test-support.ts';

type Items = readonly Incoming[];

/** Point 1. */
export class ForgetsWhatCameEarly extends Around {
  readonly #iterator = this.inner.incoming[Symbol.asyncIterator]();
  #first: ReturnType<AsyncIterator<Items>['next']> | undefined = this.#iterator.next();
  #taken = false;

  constructor(inner: Transport) {
    super(inner);
    const forget = () => {
      if (!this.#taken) this.#first = undefined;
    };
    this.#first?.then(forget, forget);
  }

  override get incoming(): AsyncIterable<Items> {
    return { [Symbol.asyncIterator]: () => this.#iterate() };
  }

  #iterate(): AsyncIterator<Items> {
    if (this.#taken) throw new TypeError('once');
    this.#taken = true;
    return {
      next: () => {
        const result = this.#first ?? this.#iterator.next();
        this.#first = undefined;
        return result;
      },
      return: async () => {
        await this.#iterator.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}

/** Point 2. */
export class HandsOutManyBackwards extends Around {
  override get incoming() {
    return mapped(this.inner.incoming, (items) => (items.length > 50 ? [...items].reverse() : items));
  }
}

/** Point 3. */
export class StoresWithoutLimit extends Around {
  readonly #store = createStore(this.inner.incoming);

  override get incoming() {
    return this.#store;
  }
}

/** Point 4. */
export class SharesWhatItRead extends Around {
  override get incoming() {
    const read = new Map<string, Incoming>();
    return mapped(this.inner.incoming, (items) => {
      return items.map((item) => {
        if (item.kind !== 'message') return item;
        if (!read.has(item.text)) read.set(item.text, item);
        return read.get(item.text) ?? item;
      });
    });
  }
}

/** Point 4. */
export class KnowsOneAlphabet extends Around {
  override get incoming() {
    return mapped(this.inner.incoming, (items) =>
      items.map((item) => (item.kind === 'message' ? damaged(item) : item)),
    );
  }
}

/** Point 4: drops byte order marks, as a new `TextDecoder` does at the beginning of each piece. */
export class LosesByteOrderMarks extends Around {
  static readonly #PIECE = 48 * 1024;

  override get incoming() {
    return mapped(this.inner.incoming, (items) =>
      items.map((item) => {
        if (item.kind !== 'message' || item.text[LosesByteOrderMarks.#PIECE] !== '\ufeff') return item;
        const { cursor, source } = item;
        const text = item.text.slice(0, LosesByteOrderMarks.#PIECE) + item.text.slice(LosesByteOrderMarks.#PIECE + 1);
        return incomingMessage(text, {
          ...(cursor !== undefined && { cursor }),
          ...(source !== undefined && { source }),
        });
      }),
    );
  }
}

/** Point 4. */
export class DropsWhatIsBig extends Around {
  override get incoming() {
    return mapped(this.inner.incoming, (items) => {
      return items.filter((item) => item.kind !== 'message' || item.text.length < 500_000);
    });
  }
}

/** Point 12. */
export class HidesTheNews extends Around {
  override get incoming() {
    return mapped(this.inner.incoming, (items) => items.filter(({ kind }) => kind !== 'notice'));
  }
}

/** Point 12. */
export class DelaysTheNews extends Around {
  override get incoming() {
    let late: readonly Incoming[] = [];
    return mapped(this.inner.incoming, (items) => {
      const news = items.filter(({ kind }) => kind === 'notice');
      const rest = items.filter(({ kind }) => kind !== 'notice');
      const out = rest.length === 0 ? rest : [...rest, ...late];
      late = rest.length === 0 ? [...late, ...news] : news;
      return out;
    });
  }
}

function damaged({ text, cursor }: IncomingMessage): Incoming {
  return incomingMessage(text.replaceAll(/[^\0-\u00ff]/g, '?'), cursor === undefined ? {} : { cursor });
}

/** Point 6. */
export class EndsWhereItShouldThrow extends Around {
  override get incoming() {
    return faultyIteration(this.inner.incoming, {
      next: (inner) => inner.next().catch(() => ({ done: true, value: undefined })),
    });
  }
}

/** Point 6. */
export class ThrowsAgain extends Around {
  override get incoming() {
    let thrown: Promise<never> | undefined;
    return faultyIteration(this.inner.incoming, {
      next: (inner) => thrown ?? inner.next().catch((error) => (thrown = Promise.reject(error))),
    });
  }
}

/** Point 6. */
export class DropsWhatCameBeforeTheEnd extends Around {
  readonly #store = createStore(this.inner.incoming, { maxBatches: 3, dropsAtEnd: true });

  override get incoming() {
    return this.#store;
  }
}

/** Point 6. */
export class CanBeIteratedTwice extends Around {
  override get incoming() {
    try {
      const iterator = this.inner.incoming[Symbol.asyncIterator]();
      return { [Symbol.asyncIterator]: () => iterator };
    } catch {
      return { async *[Symbol.asyncIterator](): AsyncGenerator<Items> {} };
    }
  }
}

/** Point 6. */
export class StaysOpenWhenTheLoopIsLeft extends Around {
  override get incoming() {
    return faultyIteration(this.inner.incoming, { leave: async () => {} });
  }
}

/** Point 6. */
export class ClosesWithItsPeer extends Around {
  override get incoming() {
    return faultyIteration(this.inner.incoming, {
      next: async (inner) => {
        const result = await inner.next();
        if (result.done) await this.close();
        return result;
      },
    });
  }
}

/** Point 6. */
export class StopsReceivingAtEnd extends Around {
  #ended = false;

  override get incoming() {
    return mapped(this.inner.incoming, (items) => (this.#ended ? [] : items));
  }

  override end(): Promise<void> {
    this.#ended = true;
    return this.inner.end();
  }
}

/** Point 7. */
export class DiesOfABadLine extends Around {
  override get incoming() {
    return mapped(this.inner.incoming, (items) => {
      if (items.some(({ kind }) => kind === 'malformed')) this.abort(new TransportError('malformed', 'bad line'));
      return items;
    });
  }
}

/** Point 7. */
export class HidesWhatItLost extends Around {
  override get incoming() {
    return mapped(this.inner.incoming, (items) => items.filter(({ kind }) => kind !== 'malformed'));
  }
}

/** Point 7. */
export class DropsWhatIsNoMessage extends Around {
  override get incoming() {
    const isFine = (item: Incoming) => item.kind !== 'message' || item.read().error === undefined;
    return mapped(this.inner.incoming, (items) => items.filter(isFine));
  }
}
