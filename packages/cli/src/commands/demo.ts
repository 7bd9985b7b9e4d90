import { createHostSession, type HostSession } from '@proto/core/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { createDemoServer } from '../demo-server.ts';
import { pieceOf } from '../piece-of.ts';
import { LAUNCH } from '../run/run-agent.ts';
import { describeCall } from '../run/tool-call.ts';
import { createTranscript } from '../transcript.ts';

const transcript = createTranscript(process.stdout);

/** `sjp demo`: a host and an agent, two processes and two pipes, from the first request to the exit of the child. */
export async function demo(agentPath: string): Promise<void> {
  const transport = spawnAgent({
    command: agentPath,
    args: LAUNCH.args,
    env: inheritEnvironment(LAUNCH.env),
    onStderr: (text) => process.stderr.write(text),
  });
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
    mcpServers: { demo: createDemoServer() },
  });
  say(`started the agent as process ${transport.pid}`);
  await session.initialized;
  say('the agent is ready');
  await converse(session);
  await session.close();
  const { process: end } = await session.closed;
  say(`closed the session, and the agent left with code ${end?.exitCode}`);
}

/** Prompts: one answered, one that calls tools, one interrupted, and one to show that the session goes on. */
async function converse(session: HostSession): Promise<void> {
  const interrupt = async () => {
    const { outcome } = await session.interrupt();
    say(`interrupt: ${outcome}`);
  };
  await prompt(session, '/echo A whole answer, streamed word by word.');
  await prompt(session, '/bash echo what a command prints');
  await prompt(session, '/mcp demo add {"a":2,"b":3}');
  await prompt(session, '/slow 60', { after: 20, act: interrupt });
  await prompt(session, 'Are you still there?');
}

function say(what: string): void {
  transcript.line('host', what);
}

/** Shows the answer as it streams, and how the turn ended; acts once after some pieces. */
async function prompt(
  session: HostSession,
  text: string,
  { after = Infinity, act = async () => {} } = {},
): Promise<void> {
  say(`prompt: ${text}`);
  await session.prompt(text);
  let pieces = 0;
  let acted = Promise.resolve();
  for await (const message of session.untilResult()) {
    const piece = pieceOf(message);
    transcript.piece('agent', piece);
    if (piece !== '' && ++pieces === after) acted = act();
    if (message.type !== 'result') continue;
    await acted;
    say(`result: ${String(message['subtype'])}`);
  }
}
