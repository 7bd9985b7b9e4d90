// node host.mjs AGENT PROMPT
import { createTextAssembler, query } from '@proto/host';
import { stdio } from '@proto/transport-stdio';

const [command = 'sjp-agent', prompt = '/echo hello'] = process.argv.slice(2);
const session = query({
  prompt,
  transport: stdio(command),
  launch: { includePartialMessages: true },
  canUseTool: ({ tool_name, input }) => {
    console.log(`? ${tool_name} ${JSON.stringify(input)}`);
    return tool_name === 'Bash' ? { behavior: 'deny', message: 'no shell here' } : { behavior: 'allow' };
  },
});
const text = createTextAssembler();
for await (const message of session) {
  process.stdout.write(text.add(message));
  if (message.type === 'result') console.log('\n= %s, %d refused', message.subtype, message.permission_denials.length);
}
