import { createMemoryPair, encodeBatch } from '@proto/core/transport';
import { createRedactor } from '@proto/recording';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test } from 'vitest';
import { serveOnLoopback } from '../loopback-server.ts';
import { ask, KEY, play, startTape, user } from './api.test-support.ts';
import { recordCassette } from './record-cassette.ts';

// Looks like an ordinary word, so only its position shows that it is a secret.
const PLAIN_KEY = 'correcthorsebatterystaple';

verifies('SAFE-6', 'a tape contains no secret of a text, even if the secret is streamed in pieces', async () => {
  const { tape, url, text } = await startTape([{ content: [KEY.slice(0, 20), KEY.slice(20), ' is it'] }]);
  const said = [user(`export TOKEN=hunter2hunter2; my key is ${KEY}`)];
  const { text: received } = await ask(url, said);
  await tape.close();
  expect(received).toContain(KEY.slice(0, 20));
  expect(text()).not.toMatch(/abcdefghij|0123456789|hunter2/);
  const { url: played, player } = await play(text());
  await ask(played, said);
  expect(player.misses).toEqual([]);
});

verifies(
  'SAFE-6',
  'a tape has no credential of a header, wherever the agent, the host and the API repeat it',
  async () => {
    const { tape, url, text, api } = await startTape([
      { content: [`You sent ${PLAIN_KEY}`, ' and hunter2', 'cookie'] },
      { status: 401, error: { message: `bad key ${PLAIN_KEY}` } },
      'fine',
    ]);
    const pair = createMemoryPair();
    const host = tape.record(pair.host);
    const headers = {
      'x-api-key': PLAIN_KEY,
      authorization: 'Bearer sesameopenthedoor',
      cookie: 'sid=hunter2cookie; theme=dark',
    };
    await ask(url, [user(`echo ${PLAIN_KEY} and sesameopenthedoor`)], {}, headers);
    await ask(url, [user('again')], { stream: false, metadata: { user_id: 'sesameopenthedoor' } }, headers);
    await fetch(`${url}/v1/models/${PLAIN_KEY}?key=${PLAIN_KEY}`);
    await host.send(encodeBatch({ type: 'user', message: { role: 'user', content: `it is ${PLAIN_KEY}` } }));
    await host.close();
    await tape.close();
    // The API has received the credentials.
    expect(api.requests).toHaveLength(2);
    expect(text()).not.toMatch(/correcthorse|sesameopen|hunter2/);
    expect(text()).toContain('You sent [redacted]');
  },
);

verifies('SAFE-6', 'a tape has no secret of the environment and of the arguments of the agent', async () => {
  const args = [
    '-p',
    '--api-key',
    KEY,
    '--mcp-config',
    '{"mcpServers":{"a":{"env":{"PIN":"swordfish1"}}}}',
    '--model',
    'x ',
  ];
  const redactor = createRedactor({ env: { VAULT_TOKEN: 'tigers-and-bears' } });
  const { tape, url, text } = await startTape([{ content: [{ type: 'text', text: 'tigers-and-bears' }] }], {
    launch: { args, env: { CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' } },
    redactor,
  });
  await ask(url, [user('tigers-and-bears, oh my')]);
  await tape.close();
  expect(text()).not.toMatch(/abcdefghij|swordfish|tigers/);
  const { player } = await play(text());
  expect(player.header).toMatchObject({
    cassette: 1,
    launch: {
      args: [
        '-p',
        '--api-key',
        '[redacted]',
        '--mcp-config',
        expect.stringContaining('"PIN":"[redacted]"'),
        '--model',
        'x ',
      ],
    },
  });
});

test('only the content type, the id and `retry-after` are kept of the headers of an answer', async () => {
  const server = await serveOnLoopback(() =>
    Promise.resolve(
      Response.json(
        {},
        {
          headers: {
            'request-id': 'req_1',
            'anthropic-organization-id': 'org-of-mine',
            'set-cookie': 'a=b',
            'retry-after': '1',
          },
        },
      ),
    ),
  );
  onTestFinished(() => server.close());
  let text = '';
  const tape = await recordCassette({ upstream: `${server.url}/`, write: (line) => void (text += line) });
  const { headers } = await fetch(`${tape.env['ANTHROPIC_BASE_URL']}/v1/models`);
  await tape.close();
  expect(headers.get('anthropic-organization-id')).toBe('org-of-mine');
  expect(text).not.toMatch(/org-of-mine|a=b|cookie/);
  expect(text).toContain('"headers":{"content-type":"application/json","request-id":"req_1","retry-after":"1"}');
});
