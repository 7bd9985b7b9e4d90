import { createHostSession, type HostSession } from '@proto/core/host';
import type { Transport } from '@proto/core/transport';
import { pieceOf } from '../piece-of.ts';
import { describeCall } from '../run/tool-call.ts';
import type { Transcript } from '../transcript.ts';
import { createCalculator } from './calculator.ts';
import type { Tally } from './tally.ts';

/** What a conversation is held with. */
export interface ConverseOptions {
  readonly transport: Transport;
  readonly tally: Tally;
  readonly transcript: Transcript;
  /** Does something to the link, in the middle of it. */
  readonly disturb?: (() => Promise<void> | void) | undefined;
}

const ROUNDS = 20;
// A turn takes milliseconds; one without a result is lost, and told so.
const TURN_MS = 10_000;

/**
 * One session of a host, whatever the transport: prompts of every kind, one after the other, and in the middle of them the disturbance.
 * Rejects where a turn does not come to its end.
 */
export async function converse({ transport, tally, transcript, disturb }: ConverseOptions): Promise<void> {
  const say = (what: string) => transcript.line('host', what);
  await using session = createHostSession(transport, {
    canUseTool({ tool_name: name, input }) {
      say(`asked for ${describeCall({ name, input }, process.cwd())}: allowed`);
      return { behavior: 'allow' };
    },
    hooks: {
      PostToolUse: [
        { hooks: [(input) => say(`hook: ${input.hook_event_name} of ${String(Reflect.get(input, 'tool_name'))}`)] },
      ],
    },
    mcpServers: { demo: createCalculator() },
  });
  await session.initialized;
  say('the agent is ready');
  const prompt = (text: string, options: TurnOptions = {}) => turn({ session, tally, transcript, text, ...options });
  await prompt('/echo A whole answer, streamed word by word.');
  await prompt('/bash echo what a command prints');
  await prompt('/mcp demo add {"a":2,"b":3}');
  await prompt('/slow 60', {
    after: 20,
    act: async () => say(`interrupt: ${(await session.interrupt()).outcome}`),
  });
  say(`${ROUNDS} more prompts${disturb === undefined ? '' : ', and no quiet link'}`);
  for (let round = 1; round <= ROUNDS; round++) {
    const act = round === ROUNDS / 2 ? disturb : undefined;
    await prompt(`/echo ${round}`, { isQuiet: true, ...(act !== undefined && { after: 0, act }) });
  }
  const last = await prompt('Are you still there?');
  // The last word of the agent on it comes behind its result.
  for await (const message of session) {
    tally.seen(message);
    if (message.type === 'command_lifecycle' && message['command_uuid'] === last) break;
  }
}

interface TurnOptions {
  /** Acts once, behind so many pieces of the answer; 0 is when the prompt is on its way. */
  readonly after?: number;
  readonly act?: () => Promise<void> | void;
  readonly isQuiet?: boolean;
}

interface Turn extends TurnOptions, Pick<ConverseOptions, 'tally' | 'transcript'> {
  readonly session: HostSession;
  readonly text: string;
}

/** One prompt: shows the answer as it streams, and how the turn ended. Gives its id. */
async function turn({
  session,
  tally,
  transcript,
  text,
  after,
  act = () => {},
  isQuiet = false,
}: Turn): Promise<string> {
  const say = (what: string) => isQuiet || transcript.line('host', what);
  say(`prompt: ${text}`);
  const uuid = crypto.randomUUID();
  tally.prompted(uuid);
  const timer = setTimeout(() => session.abort(new Error(`no result for ${text}`)), TURN_MS);
  const began = performance.now();
  const sent = session.prompt(text, { uuid });
  let acted = after === 0 ? act() : undefined;
  await sent;
  let pieces = 0;
  for await (const message of session.untilResult()) {
    tally.seen(message);
    const piece = pieceOf(message);
    if (!isQuiet) transcript.piece('agent', piece);
    if (piece !== '' && ++pieces === after) acted = act();
    if (message.type !== 'result') continue;
    if (isQuiet && act !== undefined) tally.took(performance.now() - began);
    await acted;
    say(`result: ${String(message['subtype'])}`);
  }
  clearTimeout(timer);
  return uuid;
}
