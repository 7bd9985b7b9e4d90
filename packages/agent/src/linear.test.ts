import { growth, MOST_GROWTH } from '@proto/test-support';
import { describe, expect, test } from 'vitest';
import { createConversation } from './transcript/conversation.ts';
import { TurnQueue } from './turns/turn-queue.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`);

describe('the cost of input from a host grows in proportion to its size', () => {
  test('for prompts that are queued at the front and join a turn one by one', () => {
    const ratio = growth(5000, (n) => () => {
      const queue = new TurnQueue<number>({ run: () => new Promise(() => {}) });
      for (let item = 0; item < n; item++) queue.addFirst(item);
      while (queue.takeFirst(() => true) !== undefined);
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });

  test('for prompts of a long conversation', () => {
    const ratio = growth(2000, (n) => {
      const conversation = createConversation({
        options: {},
        sessionId: 's',
        createId: () => 'id',
        emitAsItIs: async () => {},
      });
      const messages = ids(n).map((uuid) => ({ type: 'user', uuid }));
      return () => {
        for (const message of messages) conversation.begin(message);
      };
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });
});
