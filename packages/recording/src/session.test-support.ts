import { runAgent } from '@proto/agent';
import { createMemoryPair, type Transport } from '@proto/core/transport';
import { createHostSession } from '@proto/host';
import { type RecordOptions, recordTransport } from './record/record-transport.ts';
import { parseRecording, type Recording } from './recording.ts';

export function tape(options: Partial<RecordOptions> = {}) {
  let text = '';
  return {
    record: (transport: Transport, side: RecordOptions['side'] = 'host') =>
      recordTransport(transport, { side, write: (line) => void (text += line), ...options }),
    read: (): Recording => parseRecording(text),
    get text() {
      return text;
    },
  };
}

/** Asks for a permission and reports the decision. */
export function askingAgent(): Transport {
  const pair = createMemoryPair();
  runAgent(pair.agent, {
    permissions: { promptTool: 'stdio' },
    async *runTurn({ canUseTool }) {
      const { behavior } = await canUseTool('Bash', { command: 'ls' }, 'toolu_1');
      yield {
        type: 'assistant',
        message: { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text: behavior }] },
        parent_tool_use_id: null,
      };
    },
  }).catch(() => {});
  return pair.host;
}

/** A host that sends one prompt and closes after the result. Returns what the agent answered. */
export async function converse(
  transport: Transport,
  { prompt = 'go', behavior = 'allow' }: { prompt?: string; behavior?: 'allow' | 'deny' } = {},
): Promise<string[]> {
  const session = createHostSession(transport, {
    canUseTool: () => (behavior === 'allow' ? { behavior } : { behavior, message: 'no' }),
  });
  await session.prompt(prompt).accepted;
  const types: string[] = [];
  for await (const { type } of session.untilResult()) types.push(type);
  await session.close();
  return types;
}
