import type { WireMessage } from '@proto/core/framing';

/** The messages of a session with one tool call in each turn: five messages a turn. They were parsed from lines, as messages are that arrive. */
export function viewedMessages(count: number): readonly WireMessage[] {
  const turns = Array.from({ length: count / 5 }, (_, turn) => turnOf(turn));
  return turns.flat().map((message) => JSON.parse(JSON.stringify(message)) as WireMessage);
}

function turnOf(turn: number): readonly WireMessage[] {
  const thread = { parent_tool_use_id: null, session_id: 's' };
  const reply = (content: object) => ({ id: `msg_${turn}`, role: 'assistant', content: [content] });
  const call = { type: 'tool_use', id: `toolu_${turn}`, name: 'Bash', input: { command: `ls ${turn}` } };
  const result = { type: 'tool_result', tool_use_id: `toolu_${turn}`, content: 'a file', is_error: false };
  return [
    { type: 'user', uuid: `prompt-${turn}`, message: { role: 'user', content: `list ${turn}` }, ...thread },
    { type: 'assistant', uuid: `a-${turn}`, message: reply({ type: 'text', text: 'I will look.' }), ...thread },
    { type: 'assistant', uuid: `b-${turn}`, message: reply(call), ...thread },
    { type: 'user', uuid: `c-${turn}`, message: { role: 'user', content: [result] }, ...thread },
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'I will look.',
      total_cost_usd: turn / 100,
      usage: { input_tokens: 10 },
      modelUsage: {},
      user_message_uuids: [`prompt-${turn}`],
      session_id: 's',
    },
  ];
}
