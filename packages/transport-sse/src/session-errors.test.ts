import { TransportError } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { MessagesRefusedError, WorkerConflictError } from './session-errors.ts';

const refused = new MessagesRefusedError(['a', undefined], 403);
const conflict = new WorkerConflictError('epoch_stale');

test('each error class is found in the error itself and among its causes', () => {
  expect(MessagesRefusedError.find(refused)).toBe(refused);
  expect(WorkerConflictError.find(conflict)).toBe(conflict);
  const wrapped = new TransportError('aborted', 'closed', { cause: new Error('outer', { cause: refused }) });
  expect(MessagesRefusedError.find(wrapped)).toBe(refused);
  expect(WorkerConflictError.find(wrapped)).toBeUndefined();
});

test.each([undefined, 'text', new Error('x'), new TransportError('lost', 'cut')])('%s does not match', (error) => {
  expect([MessagesRefusedError.find(error), WorkerConflictError.find(error)]).toEqual([undefined, undefined]);
});

test('a circular cause ends the search', () => {
  const loop = new Error('loop');
  loop.cause = loop;
  expect(WorkerConflictError.find(loop)).toBeUndefined();
});
