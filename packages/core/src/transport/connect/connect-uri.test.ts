import { expect, test } from 'vitest';

import { connectUri, type TransportScheme } from './connect.ts';
import { TransportError } from '../error.ts';
import { scripted } from '../scripted-driver.test-support.ts';

interface Options {
  readonly token: string;
}

function schemeOf(...protocols: string[]): TransportScheme<Options> & { asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    protocols,
    connect(uri, options) {
      asked.push([uri, options]);
      return scripted().transport;
    },
  };
}

test.each(['ws://host/path', 'WSS://host', 'wss:opaque'])('connectUri uses the scheme for %s', (uri) => {
  const [sse, socket] = [schemeOf('sse+http:'), schemeOf('ws:', 'wss:')];
  connectUri(uri, [sse, socket], { token: 't' });
  expect([sse.asked, socket.asked]).toEqual([[], [[uri, { token: 't' }]]]);
});

test('connectUri treats a dash as stdio', () => {
  const stdio = schemeOf('stdio:');
  connectUri('-', [stdio], { token: 't' });
  expect(stdio.asked).toEqual([['-', { token: 't' }]]);
});

test('the error for an unknown protocol names it and the known protocols, and nothing else of the URI', () => {
  const schemes = [schemeOf('stdio:'), schemeOf('ws:', 'wss:')];
  const error = thrownBy(() => connectUri('ftp://user:s3cret@host/?token=s3cret', schemes, { token: 's3cret' }));
  expect(error).toMatchObject({ code: 'connect-failed', retryable: false });
  expect(error.message).toBe('Unsupported protocol: ftp: (known: stdio:, ws:, wss:)');
  expect(error.stack).not.toContain('s3cret');
});

test('the error for a URI without a protocol shows nothing of the URI', () => {
  expect(thrownBy(() => connectUri('s3cret', [schemeOf('ws:')], { token: '' })).message).toBe(
    'Unsupported protocol:  (known: ws:)',
  );
});

function thrownBy(act: () => unknown): TransportError {
  try {
    act();
  } catch (error) {
    if (TransportError.is(error)) return error;
  }
  throw new Error('no TransportError was thrown');
}
