import { expect, test } from 'vitest';
import { Tally } from './tally.ts';

const message = (uuid: string, type = 'assistant') => ({ type, uuid });
const result = (uuid: string, prompt: string) => ({ type: 'result', uuid, user_message_uuids: [prompt] });

test('what arrives once and in order is neither lost nor doubled', () => {
  const tally = new Tally();
  tally.addPrompt('p');
  for (const each of [message('a'), message('b', 'stream_event'), result('c', 'p')]) {
    tally.addSent(each);
    tally.addReceived(each);
  }
  tally.addCut();
  tally.addLink({ kind: 'link', state: 'down', attempt: 1 });
  tally.addLink({ kind: 'link', state: 'up', attempt: 1, resumed: true });
  for (const ms of [9, 1, 5]) tally.addTurn(ms);
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

test('lists the ids of lost, doubled and moved messages, also of a prompt without a result', () => {
  const tally = new Tally();
  for (const prompt of ['p', 'q']) tally.addPrompt(prompt);
  for (const id of ['a', 'b', 'c', 'd']) tally.addSent(message(id));
  for (const id of ['b', 'a', 'd', 'd']) tally.addReceived(message(id));
  tally.addReceived(result('r', 'q'));
  expect(tally.report('stdio')).toMatchObject({ lost: ['p', 'c'], doubled: ['d'], outOfOrder: ['a'] });
});
