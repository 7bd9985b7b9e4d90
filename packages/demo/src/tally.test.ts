import { expect, test } from 'vitest';
import { createTally } from './tally.ts';

const message = (uuid: string, type = 'assistant') => ({ type, uuid });
const result = (uuid: string, prompt: string) => ({ type: 'result', uuid, user_message_uuids: [prompt] });

test('what arrives once and in order is neither lost nor doubled', () => {
  const tally = createTally();
  tally.prompted('p');
  for (const each of [message('a'), message('b', 'stream_event'), result('c', 'p')]) {
    tally.said(each);
    tally.seen(each);
  }
  tally.cut();
  tally.link({ kind: 'link', state: 'down', attempt: 1 });
  tally.link({ kind: 'link', state: 'up', attempt: 1, resumed: true });
  for (const ms of [9, 1, 5]) tally.took(ms);
  expect(tally.report('stdio')).toEqual({
    transport: 'stdio',
    sent: ['p', 'a', 'c'],
    seen: ['p', 'a', 'c'],
    lost: [],
    doubled: [],
    outOfOrder: [],
    cuts: 1,
    reconnects: 1,
    medianMs: 5,
  });
});

test('what is lost, doubled or moved is told by its id, also a prompt without a result', () => {
  const tally = createTally();
  for (const prompt of ['p', 'q']) tally.prompted(prompt);
  for (const id of ['a', 'b', 'c', 'd']) tally.said(message(id));
  for (const id of ['b', 'a', 'd', 'd']) tally.seen(message(id));
  tally.seen(result('r', 'q'));
  expect(tally.report('stdio')).toMatchObject({ lost: ['p', 'c'], doubled: ['d'], outOfOrder: ['a'] });
});
