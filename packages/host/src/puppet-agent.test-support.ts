import type { WireMessage } from '@proto/core/framing';
import { isRecord, Waiters } from '@proto/core/internal';
import { type Batch, createMemoryPair, type Transport } from '@proto/core/transport';
import type { HostSessionOptions } from './host-options.ts';
import { createHostSession } from './host-session.ts';

export const CAPABILITIES = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [],
  account: {},
};

/** Sends the lines of the test, and records the frames that it receives. */
function createPuppet(transport: Transport) {
  const frames: WireMessage[] = [];
  const arrived = new Waiters();
  let isEnded = false;
  const read = async () => {
    for await (const items of transport.incoming) {
      for (const item of items) if (item.kind === 'message') frames.push(item.read().message as WireMessage);
      arrived.open();
    }
  };
  void read()
    .catch(() => {})
    .then(() => {
      isEnded = true;
      arrived.open();
    });
  const say = (...lines: (string | object)[]) => {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    transport.send(batchOfLines(texts)).catch(() => {});
  };
  const received = async (matches: (frame: WireMessage) => boolean): Promise<WireMessage> => {
    for (;;) {
      const frame = frames.find(matches);
      if (frame !== undefined) return frame;
      if (isEnded) throw new Error(`the frame never arrived; frames: ${JSON.stringify(frames)}`);
      await arrived.wait();
    }
  };
  return {
    transport,
    frames,
    say,
    received,
    asked: (subtype: string) =>
      received((frame) => isRecord(frame['request']) && frame['request']['subtype'] === subtype),
    answer: async (requestId: string): Promise<Readonly<Record<string, unknown>>> => {
      const { response } = await received(({ response }) => isRecord(response) && response['request_id'] === requestId);
      return response as Readonly<Record<string, unknown>>;
    },
    answers: (requestId: string) =>
      frames.flatMap(({ response }) => (isRecord(response) && response['request_id'] === requestId ? [response] : [])),
    succeed: (request: WireMessage, response?: object, extra: object = {}) =>
      say({
        type: 'control_response',
        response: { subtype: 'success', request_id: request['request_id'], response, ...extra },
      }),
    inputEnded: async () => {
      while (!isEnded) await arrived.wait();
    },
    get isInputEnded() {
      return isEnded;
    },
  };
}

/** The agent answers `initialize` unless an option says otherwise. */
export function hostAndPuppet(options: HostSessionOptions = {}, { initialize = true } = {}) {
  const pair = createMemoryPair();
  const host = createHostSession(pair.host, options);
  const puppet = createPuppet(pair.agent);
  if (initialize)
    void puppet.asked('initialize').then(
      (request) => puppet.succeed(request, CAPABILITIES),
      () => {},
    );
  return { ...pair, host, puppet };
}

export const assistant = (text: string, members: object = {}) => ({
  type: 'assistant',
  message: { id: `msg_${text}`, role: 'assistant', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  ...members,
});

export const result = (members: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: '',
  ...members,
});

export const request = (requestId: string, body: object) => ({
  type: 'control_request',
  request_id: requestId,
  request: body,
});

export const permission = (requestId: string, members: object = {}) =>
  request(requestId, {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: 'ls' },
    tool_use_id: 'T1',
    ...members,
  });

export const settled = () => new Promise((resolve) => setImmediate(resolve));

export async function rest(messages: AsyncIterable<WireMessage>): Promise<WireMessage[]> {
  const all: WireMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

function batchOfLines(lines: readonly string[]): Batch {
  return {
    count: lines.length,
    text: `${lines.join('\n')}\n`,
    *messages() {
      for (const text of lines) yield { text, id: undefined, ephemeral: false };
    },
  };
}
