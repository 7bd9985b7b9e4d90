import { expect, test } from 'vitest';
import { settledRequestOf } from './settled-request.ts';

test.each([
  ['answered', 'somebody', { requestId: 'r', isAnswered: true }],
  ['answered', undefined, { requestId: 'r', isAnswered: true }],
  ['cancelled', 'worker', { requestId: 'r', isAnswered: false }],
  // The worker answers requests of clients, and clients cancel their own.
  ['answered', 'worker', undefined],
  ['cancelled', 'somebody', undefined],
])('%s by %s says which side has asked', (outcome, by, settled) => {
  expect(settledRequestOf('control_resolved', { request_id: 'r', by, outcome })).toEqual(settled);
  expect(settledRequestOf('delivery_update', { request_id: 'r', by, outcome })).toBeUndefined();
});

test.each([undefined, null, 'r', 7, [], {}, { request_id: 7, outcome: 'answered' }])(
  '%j is not about a request',
  (data) => {
    expect(settledRequestOf('control_resolved', data)).toBeUndefined();
  },
);
