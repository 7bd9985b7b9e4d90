import { textOf } from '@proto/agent';
import { runHeadless } from '@proto/headless';

const assistant = (block) => ({ type: 'assistant', message: { role: 'assistant', content: [block] } });

await runHeadless({
  name: 'reversing-agent',
  async *runTurn({ prompt, canUseTool }) {
    const id = `toolu_${crypto.randomUUID()}`;
    const input = { text: textOf(prompt) };
    yield assistant({ type: 'tool_use', id, name: 'Reverse', input });
    const decision = await canUseTool('Reverse', input, id);
    const is_error = decision.behavior === 'deny';
    const text = is_error ? decision.message : [...decision.input.text].reverse().join('');
    const content = [{ type: 'tool_result', tool_use_id: id, content: text, is_error }];
    yield { type: 'user', message: { role: 'user', content } };
    yield assistant({ type: 'text', text });
  },
});
