import { expect, test } from 'vitest';
import { postAddressOf } from './post-address.ts';

test.each([
  ['ws://h/v1/session_ingress/ws/x?x=1', 'http://h/v1/session_ingress/session/x?x=1', false],
  ['wss://h:8443/v1/session_ingress/ws/x', 'https://h:8443/v1/session_ingress/session/x', false],
  ['wss://h/ws/v1/session_ingress/ws/x/', 'https://h/ws/v1/session_ingress/session/x', false],
  ['wss://h/v1/sessions/ws/cse_1/subscribe', 'https://h/v1/code/sessions/cse_1', true],
  ['ws://h/prefix/v1/sessions/ws/cse_1/subscribe?ticket=t', 'http://h/prefix/v1/code/sessions/cse_1?ticket=t', true],
])('the messages of %s are posted below %s', (socket, url, isViewer) => {
  expect(postAddressOf(socket)).toEqual({ url, isViewer });
});

test.each([
  'ws://h/',
  'ws://h/ws/',
  'wss://h/v1/code/sessions/s3cret',
  'https://h/ws/s3cret',
  'ws://u:s3cret@h/ws/x',
  's3cret',
])('no address to post to follows from %s, and the error does not quote it', (socket) => {
  expect(() => postAddressOf(socket)).toThrow(expect.objectContaining({ code: 'connect-failed', retryable: false }));
  expect(() => postAddressOf(socket)).not.toThrow(/s3cret/);
});
