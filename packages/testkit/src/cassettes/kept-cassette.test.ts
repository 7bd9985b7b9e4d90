/** A stored cassette of the native agent: a session of five turns, with tools and permissions. Every later version of this package must be able to play it. */
import { readFileSync } from 'node:fs';
import { createReplay } from '@proto/recording';
import { diffRecordings, recordingText } from '@proto/recording/diff';
import { expect, test } from 'vitest';
import { ask, play } from './api.test-support.ts';
import { hostPartOf } from './host-steps.ts';
import { exchangesOf, keyOf } from './taped-exchange.ts';
import { isSideRequest } from './request-key.ts';

const TEXT = readFileSync(new URL('../../testdata/native-agent.cassette.jsonl', import.meta.url), 'utf8');

/** Sends each recorded request in the same way as the native agent. */
async function askAll({ player, url }: Awaited<ReturnType<typeof play>>, change = (text: string) => text) {
  const exchanges = exchangesOf(player.recording).filter((exchange) => !isSideRequest(keyOf(exchange)));
  const contents = new Map(exchanges.flatMap(({ request }) => Object.entries(request.fresh ?? {})));
  const statuses: number[] = [];
  for (const { request, parts } of exchanges) {
    const messages = JSON.parse(change(JSON.stringify(request.messages?.map((key) => contents.get(key))))) as object[];
    const { status, text } = await ask(url, messages, { model: request.model, max_tokens: request.maxTokens });
    statuses.push(status);
    if (status !== 200) break;
    for (const { data } of parts) if (data !== undefined) expect(text).toContain(`data: ${data}\n`);
  }
  return statuses;
}

test('a kept cassette answers each of its requests, event by event', async () => {
  const playing = await play(TEXT);
  const statuses = await askAll(playing);
  expect(statuses).toEqual(Array(9).fill(200));
  expect([playing.player.misses, playing.player.unused]).toEqual([[], 0]);
});

test('a kept cassette refuses the first request that was changed', async () => {
  const playing = await play(TEXT);
  const statuses = await askAll(playing, (text) => text.replace('rm made.txt', 'rm note.txt'));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400]);
  expect(playing.player.misses).toEqual([
    { number: 6, message: expect.stringMatching(/exchange \d+: recorded .*rm made\.txt.*, now .*rm note\.txt/) },
  ]);
});

test('the host of a kept cassette says the same again to the agent of the same cassette', async () => {
  const { player } = await play(TEXT);
  const { steps, questions } = hostPartOf(player.recording);
  expect(steps.filter(({ line }) => line?.includes('"type":"user"'))).toHaveLength(5);
  expect(questions.map(({ request }) => request['tool_name'])).toEqual(['Bash', 'Bash']);
  const { transport, done } = createReplay(player.recording, { as: 'agent' });
  const { problems, expected, found } = await player.drive(transport);
  await done;
  // This agent sends no requests to an API.
  expect(problems).toEqual(['9 recorded answers were not used, because the agent did not send their requests']);
  const { counts } = await diffRecordings(recordingText(expected), recordingText(found), { ignore: ['status'] });
  expect(counts).toMatchObject({ changed: 0, missing: 0, added: 0 });
});
