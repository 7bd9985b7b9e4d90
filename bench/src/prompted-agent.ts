// An agent with prepared lines, so that only the host is measured. A prompt is a number: the agent answers with this number of lines and a result.
// The environment names the fixture, because the host writes the command line.
import { createInterface } from 'node:readline';
import { createFixtures } from './fixtures.ts';

interface FromHost {
  readonly type: string;
  readonly request_id?: string;
  readonly message?: { readonly content: unknown };
}

const kind = process.env['FIXTURE'] as 'delta250' | 'assistant1k' | 'toolResult';
const make = createFixtures()[kind];
const lines = Array.from({ length: kind === 'toolResult' ? 8 : 256 }, () => `${make()}\n`);
const block = Buffer.from(lines.join(''));
const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: '',
  stop_reason: 'end_turn',
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1 },
  modelUsage: {},
  permission_denials: [],
  session_id: '00000000-0000-4000-8000-000000000000',
  uuid: '00000000-0000-4000-8000-000000000001',
};
const initialized = {
  commands: [],
  agents: [],
  output_style: '',
  available_output_styles: [],
  models: [],
  account: {},
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, message } = JSON.parse(line) as FromHost;
  if (type === 'control_request') {
    const response = { subtype: 'success', request_id, response: initialized };
    write(`${JSON.stringify({ type: 'control_response', response })}\n`);
  } else if (type === 'user') {
    for (let sent = 0; sent < Number(message?.content); sent += lines.length) write(block);
    write(`${JSON.stringify(result)}\n`);
  }
});

function write(text: string | Buffer): void {
  process.stdout.write(text);
}
