import { createHostSession, type HostSession } from '@proto/host';
import type { Transport } from '@proto/core/transport';
import { pieceOf } from '@proto/terminal';
import { describeCall } from '@proto/permissions';
import { createCalculator } from './calculator.ts';
import type { Tally } from './tally.ts';
import { SILENT, type Transcript } from './transcript.ts';

/** The options of a conversation: its session, its transcript, and the disturbance of its link. */
export interface ConverseOptions {
  readonly transport: Transport;
  readonly cwd: string;
  readonly tally: Tally;
  readonly transcript: Transcript;
  /** Whether to show only the results of the first prompts, because an earlier conversation has shown these prompts in full. Default false. */
  readonly isRepetition?: boolean;
  /** Disturbs the link in the middle of the conversation. Default: no disturbance. */
  readonly disturb?: (() => Promise<void> | void) | undefined;
}

const ROUNDS = 20;
// A turn usually takes milliseconds. A turn that takes longer than this counts as lost.
const TURN_MS = 10_000;

/**
 * Runs the demo session over any transport: it sends prompts of every kind, one after the other, with the disturbance in the middle. Rejects if a
 * turn does not end.
 */
export async function converse(options: ConverseOptions): Promise<void> {
  const { transport, cwd, tally, transcript, isRepetition = false, disturb } = options;
  const shown = isRepetition ? SILENT : transcript;
  await using session = createHostSession(transport, {
    canUseTool({ tool_name: name, input }) {
      shown.line('host', `asked for ${describeCall({ tool: name, input }, cwd)}: allowed`);
      return { behavior: 'allow' };
    },
    hooks: { PostToolUse: [{ hooks: [(input) => shown.line('host', hookText(input))] }] },
    mcpServers: { demo: createCalculator() },
  });
  await session.initialized;
  shown.line('host', 'the agent is ready');
  const prompt = (text: string, turnOptions: TurnOptions = {}) =>
    turn({ session, tally, transcript: shown, text, ...turnOptions });
  const first = [
    await prompt('/echo A whole answer, streamed word by word.'),
    await prompt('/bash echo what a command prints'),
    await prompt('/mcp demo add {"a":2,"b":3}'),
    await prompt('/slow 60', {
      after: 20,
      act: async () => shown.line('host', `interrupt: ${(await session.interrupt()).outcome}`),
    }),
  ];
  if (isRepetition) {
    const ends = first.map(({ subtype }) => subtype).join(', ');
    transcript.line('host', `the same ${first.length} prompts end in the same way: ${ends}`);
  }
  transcript.line(
    'host',
    `${ROUNDS} more prompts${disturb === undefined ? '' : ', with the connection cut in between'}`,
  );
  const quietly = { transcript: SILENT };
  for (let round = 1; round <= ROUNDS; round++) {
    const cut = disturb !== undefined && round === ROUNDS / 2 && { after: 0, act: disturb };
    const { ms } = await prompt(`/echo ${round}`, { ...quietly, ...cut });
    if (cut === false) tally.addTurn(ms);
  }
  const { uuid: last } = await prompt('Are you still there?');
  // The agent reports the end of the prompt after its result.
  for await (const message of session) {
    tally.addReceived(message);
    if (message.type === 'command_lifecycle' && message['command_uuid'] === last) break;
  }
}

function hookText(input: { readonly hook_event_name: string }): string {
  return `hook: ${input.hook_event_name} of ${String(Reflect.get(input, 'tool_name'))}`;
}

interface TurnOptions {
  /** The number of pieces of the answer after which `act` is called, once. With 0, `act` is called when the prompt is sent. */
  readonly after?: number;
  readonly act?: () => Promise<void> | void;
  readonly transcript?: Transcript;
}

interface Turn extends TurnOptions {
  readonly session: HostSession;
  readonly tally: Tally;
  readonly transcript: Transcript;
  readonly text: string;
}

interface TurnEnd {
  /** The id of the prompt. */
  readonly uuid: string;
  /** The subtype of the result, such as `success`. */
  readonly subtype: string;
  readonly ms: number;
}

async function turn({ session, tally, transcript, text, after, act = () => {} }: Turn): Promise<TurnEnd> {
  transcript.line('host', `prompt: ${text}`);
  const uuid = crypto.randomUUID();
  tally.addPrompt(uuid);
  const timer = setTimeout(() => session.abort(new Error(`no result for ${text}`)), TURN_MS);
  const began = performance.now();
  const sent = session.prompt(text, { uuid });
  let acted = after === 0 ? act() : undefined;
  await sent.accepted;
  let pieces = 0;
  let subtype = '';
  let ms = 0;
  for await (const message of session.untilResult()) {
    tally.addReceived(message);
    const piece = pieceOf(message);
    transcript.piece('agent', piece);
    if (piece !== '' && ++pieces === after) acted = act();
    if (message.type !== 'result') continue;
    ms = performance.now() - began;
    subtype = String(message['subtype']);
    await acted;
    transcript.line('host', `result: ${subtype}`);
  }
  clearTimeout(timer);
  return { uuid, subtype, ms };
}
