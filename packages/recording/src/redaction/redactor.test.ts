import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { createRedactor, REDACTED } from './redactor.ts';
import { HARMLESS, SECRET_SHAPES } from './secret-corpus.test-support.ts';

const redactor = createRedactor();

describe('secrets by their shape', () => {
  verifies('SAFE-6', 'are found in texts and in messages: 0 leaks in more than 30 shapes', () => {
    expect(SECRET_SHAPES.length).toBeGreaterThan(30);
    const leaks = SECRET_SHAPES.filter(({ text, secret }) => {
      expect(text).toContain(secret);
      const message = JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_result', content: text }] } });
      return redactor.text(text).includes(secret) || redactor.line(message).text.includes(secret);
    });
    expect(leaks.map(({ name }) => name)).toEqual([]);
  });

  test('leave what is around them', () => {
    expect(redactor.text('curl -H "Authorization: Bearer abcdef123456" https://x.example')).toBe(
      `curl -H "Authorization: Bearer ${REDACTED}" https://x.example`,
    );
    expect(redactor.text('postgres://me:secret1@db/x')).toBe(`postgres://${REDACTED}@db/x`);
  });

  test.each(HARMLESS)('are not seen in: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  test('are looked for in time that grows with the text alone', () => {
    const nasty = [
      'a.',
      'token',
      'password="',
      'eyJ',
      'https://',
      'bearer ',
      '\\"',
      '-----BEGIN PRIVATE KEY-----',
      'x@',
    ];
    for (const piece of nasty) {
      const text = piece.repeat(200_000 / piece.length);
      // If the time were quadratic, this would exceed the time limit of a test.
      expect(redactor.text(text).length, piece).toBeLessThanOrEqual(text.length * REDACTED.length);
    }
  });
});

describe('a line of the wire', () => {
  const redactedIn = (message: unknown, options = {}) => {
    const { text, redacted } = createRedactor(options).line(JSON.stringify(message));
    return { message: JSON.parse(text) as unknown, redacted };
  };

  verifies('SAFE-6', 'loses what goes under secret names: headers, variables, tokens', () => {
    const request = {
      subtype: 'initialize',
      mcpServers: {
        a: { headers: { Authorization: 'x y', 'X-Own': 'z', Accept: '*/*' }, env: { PIN: '1234', N: '' } },
      },
      accessToken: 'abc',
      'client-secret': ['d', 'e'],
    };
    expect(redactedIn({ type: 'control_request', request })).toEqual({
      message: {
        type: 'control_request',
        request: {
          subtype: 'initialize',
          mcpServers: {
            a: {
              headers: { Authorization: REDACTED, 'X-Own': REDACTED, Accept: '*/*' },
              env: { PIN: REDACTED, N: '' },
            },
          },
          accessToken: REDACTED,
          'client-secret': [REDACTED, REDACTED],
        },
      },
      redacted: [
        'request.mcpServers.a.headers.Authorization',
        'request.mcpServers.a.headers.X-Own',
        'request.mcpServers.a.env.PIN',
        'request.accessToken',
        'request.client-secret.0',
        'request.client-secret.1',
      ],
    });
  });

  verifies('SAFE-6', 'loses the values of the environment and of the caller, however they are written', () => {
    const env = { DEPLOY_TOKEN: 'not/like any+other', HOME: '/home/me', SHORT_KEY: 'abc' };
    const secrets = ['correct horse'];
    const said = [
      `it is ${env.DEPLOY_TOKEN} and ${encodeURIComponent(env.DEPLOY_TOKEN)} in ${env.HOME}`,
      Buffer.from('correct horse').toString('base64'),
      'abc',
    ];
    expect(redactedIn(said, { env, secrets }).message).toEqual([
      `it is ${REDACTED} and ${REDACTED} in /home/me`,
      REDACTED,
      'abc',
    ]);
  });

  verifies('SAFE-6', 'loses what stands at places that are named', () => {
    const message = { a: { pin: 1234, b: [{ pin: 'x', c: true }] }, pin: null };
    expect(redactedIn(message, { paths: ['$.a.**.pin'] }).message).toEqual({
      a: { pin: REDACTED, b: [{ pin: REDACTED, c: true }] },
      pin: null,
    });
    expect(redactedIn(message, { paths: ['a.*.0'] }).message).toEqual({
      a: { pin: 1234, b: [{ pin: REDACTED, c: REDACTED }] },
      pin: null,
    });
  });

  test('without a secret stays as it is, to the letter', () => {
    for (const line of ['{ "a" : 1.0, "a": 2 }', 'no json', '{"usage":{"token":12}}', '{"signature":"abc"}']) {
      expect(redactor.line(line)).toEqual({ text: line, redacted: [] });
    }
  });

  verifies('SAFE-6', 'has no secret left in a name, in a repeated member, or deep inside', () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const lines = [
      `{"a":{"${secret}":1}}`,
      `{"a":"${secret}","a":"b"}`,
      `{"a":"\\u0067${secret.slice(1)}"}`,
      `${'['.repeat(20_000)}"${secret}"${']'.repeat(20_000)}`,
    ];
    for (const line of lines) {
      const { text, redacted } = redactor.line(line);
      expect(text).not.toContain(secret.slice(1));
      expect(redacted).toHaveLength(1);
    }
  });

  test('that is not JSON is redacted as a text', () => {
    expect(redactor.line('password=hunter22')).toEqual({ text: `password=${REDACTED}`, redacted: [''] });
  });
});
