import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { openEndpoint } from './endpoint.ts';

const shown = (error: unknown) => inspect(error, { depth: Infinity, showHidden: true });
const options = { token: async () => undefined, env: {}, onStderr: () => {} };

test.each(['ws://u:s3cret@host/', 'sse+https://s3cret@host/', 'wss://u:s3cret@ho st/', 'ws://host:port/?t=s3cret'])(
  'is refused without being quoted: %s',
  async (endpoint) => {
    const error = await openEndpoint(endpoint, options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'connect-failed', retryable: false });
    expect(shown(error)).not.toContain('s3cret');
  },
);
