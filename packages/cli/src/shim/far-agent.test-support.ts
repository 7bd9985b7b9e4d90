import { messagesIn, outcomeOf, readUntil, SHIM, start, STREAM, TOKEN_FILE } from '../bins.test-support.ts';
import { startSocketServer } from '../socket-server.test-support.ts';

export const QUESTION = {
  type: 'control_request',
  request_id: 'question',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} },
};

/**
 * Starts an agent on a WebSocket and a shim that connects to it. The agent does not answer a prompt that begins with
 * `wait`, and asks for a permission before it answers a prompt that begins with `ask`.
 */
export async function started(args: readonly string[], input: string | undefined, flags: readonly string[] = STREAM) {
  const { server, url } = await startSocketServer({ handleProtocols: () => 'sjp.v1' });
  const said: Record<string, unknown>[] = [];
  let authorization: string | undefined;
  server.on('connection', (socket, { headers }) => {
    ({ authorization } = headers);
    let id = 0;
    let asking: Record<string, unknown> | undefined;
    const say = (data: object) => socket.send(`{"id":${++id},"data":${JSON.stringify(data)}}\n`);
    const answer = ({ uuid }: Record<string, unknown>) => {
      for (const type of ['stream_event', 'unheard_of']) say({ type, session_id: 'c' });
      say({ type: 'command_lifecycle', command_uuid: uuid, state: 'completed' });
      say({ type: 'result', subtype: 'success', is_error: false, result: 'done', user_message_uuid: uuid });
    };
    socket.send('{"ack":0,"stream":"far","from":1}\n');
    socket.on('message', (frame: Buffer) => {
      for (const text of frame.toString().split('\n')) {
        const { data } = (text === '' ? {} : JSON.parse(text)) as { data?: Record<string, unknown> };
        if (data === undefined) continue;
        said.push(data);
        socket.send(`{"ack":${said.length}}\n`);
        if (data['type'] === 'control_request') {
          say({ type: 'control_response', response: { subtype: 'success', request_id: data['request_id'] } });
        } else if (data['type'] === 'control_response') {
          if (asking !== undefined) answer(asking);
          asking = undefined;
        } else if (text.includes('"wait')) say({ type: 'system', subtype: 'waiting', session_id: 'c' });
        else if (text.includes('"ask')) {
          asking = data;
          say(QUESTION);
        } else answer(data);
      }
    });
  });
  const variables = { SJP_SHIM_URL: url, SJP_SHIM_TOKEN_FILE: TOKEN_FILE };
  const child = start(SHIM, [...flags, ...args], variables);
  if (input !== undefined) child.stdin.write(input);
  return { said, child, authorization: () => authorization };
}

/** Returns the messages that the agent and the host received. */
export async function runShim(args: readonly string[], input: string) {
  const { said, child, authorization } = await started(args, input);
  const stdout = await readUntil(child, '"result"');
  const rest = await outcomeOf(child, '');
  return { said, authorization: authorization(), messages: messagesIn(stdout), ...rest };
}
