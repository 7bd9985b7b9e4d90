// The agent of a user, for `sjp-agent --module`.
export const reads = ['maxTurns'];
export default async function* ({ prompt, options }) {
  console.log('this is not a frame');
  const content = [{ type: 'text', text: `${JSON.stringify(prompt)} in ${options.maxTurns} turns` }];
  yield { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, parent_tool_use_id: null };
}
