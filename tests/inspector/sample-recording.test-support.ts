/** Recordings for the tests of the page: turns with tools, permissions, hooks and errors, as many as a test wants. */
import { closeSync, openSync, writeSync } from 'node:fs';

export const HEADER = '{"recording":1,"side":"host","redacted":false}\n';

const SESSION = '5c7f0f53-8f0e-4a0b-9b39-3a5f4c1f2d11';
const COMMANDS = ['npm test', 'git status', 'ls src', 'cat package.json', 'npx tsc -p .', 'rm -r build'];
const WORDS =
  'The tests of the parser fail because a blank line ends the loop early and the last record is never written'.split(
    ' ',
  );

/** One entry with a message of a side. */
export function entry(t: number, dir: 'host' | 'agent', message: object): string {
  return `${JSON.stringify({ t, dir: `from-${dir}`, line: JSON.stringify(message) })}\n`;
}

/** The lines of a turn that begins at a time, in milliseconds: 30 frames, and at times a permission, an error or an unknown message. */
function turnLines(turn: number, start: number): string {
  let t = start;
  const lines: string[] = [];
  const host = (after: number, message: object) => lines.push(entry((t += after), 'host', message));
  const agent = (after: number, message: object) => lines.push(entry((t += after), 'agent', message));
  const base = { session_id: SESSION, parent_tool_use_id: null };
  const id = (what: string) => `${what}_${turn}`;
  const uuid = () => `00000000-0000-4000-8000-${String(turn * 100 + lines.length).padStart(12, '0')}`;
  host(0, {
    type: 'user',
    ...base,
    session_id: '',
    message: { role: 'user', content: `Step ${turn + 1}: mend the parser` },
  });
  agent(20, {
    type: 'system',
    subtype: 'init',
    cwd: '/home/user/parser',
    session_id: SESSION,
    uuid: uuid(),
    tools: ['Bash', 'Read', 'Edit'],
    mcp_servers: [],
    model: 'model-large',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: '2.1.328',
    output_style: 'default',
    agents: [],
    skills: [],
    plugins: [],
  });
  const message = (content: object[]) => ({
    type: 'assistant',
    ...base,
    uuid: uuid(),
    message: {
      id: id('msg'),
      type: 'message',
      role: 'assistant',
      model: 'model-large',
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 900, output_tokens: 40 },
    },
  });
  for (const [at, word] of WORDS.entries()) {
    agent(9 + (turn % 3), {
      type: 'stream_event',
      ...base,
      uuid: uuid(),
      event: {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: `${at === 0 ? '' : ' '}${word}` },
      },
    });
  }
  agent(4, message([{ type: 'text', text: WORDS.join(' ') }]));
  const command = COMMANDS[turn % COMMANDS.length] as string;
  agent(
    15,
    message([{ type: 'tool_use', id: id('toolu'), name: 'Bash', input: { command, description: 'Run a command' } }]),
  );
  if (turn % 2 === 0) {
    agent(6, {
      type: 'control_request',
      request_id: id('perm'),
      request: {
        subtype: 'can_use_tool',
        tool_name: 'Bash',
        display_name: 'Bash',
        input: { command },
        tool_use_id: id('toolu'),
        permission_suggestions: [],
      },
    });
    const isDenied = turn % 6 === 4;
    host(120 + ((turn * 37) % 900), {
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: id('perm'),
        response: isDenied
          ? { behavior: 'deny', message: 'Not in this folder.' }
          : { behavior: 'allow', updatedInput: { command } },
      },
    });
  }
  const isFailed = turn % 5 === 3;
  agent(80 + ((turn * 53) % 1400), {
    type: 'user',
    ...base,
    uuid: uuid(),
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: id('toolu'),
          content: isFailed ? 'exit code 1' : '14 passed',
          is_error: isFailed,
        },
      ],
    },
  });
  if (turn % 7 === 2) agent(3, { type: 'vcs_state_changed', session_id: SESSION, branch: 'mend-parser' });
  agent(30, {
    type: 'result',
    subtype: isFailed ? 'error_during_execution' : 'success',
    ...base,
    uuid: uuid(),
    is_error: isFailed,
    duration_ms: t - start,
    duration_api_ms: t - start,
    num_turns: 2,
    total_cost_usd: 0.0123 * (turn + 1),
    ...(isFailed ? { errors: ['The command failed.'] } : { result: 'The parser writes its last record.' }),
    stop_reason: 'end_turn',
    usage: { input_tokens: 900, output_tokens: 40 },
    modelUsage: {},
    permission_denials: [],
  });
  return lines.join('');
}

/** A recording of some turns. */
export function sampleRecording(turns: number): string {
  return HEADER + Array.from({ length: turns }, (_, turn) => turnLines(turn, turn * 4000)).join('');
}

/** Writes a recording of at least so many frames. Returns how many there are. */
export function writeLongRecording(file: string, frames: number): number {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, HEADER);
  let written = 0;
  for (let turn = 0; written < frames; turn += 50) {
    const lines = Array.from({ length: 50 }, (_, at) => turnLines(turn + at, (turn + at) * 4000)).join('');
    written += lines.split('\n').length - 1;
    writeSync(descriptor, lines);
  }
  closeSync(descriptor);
  return written;
}
