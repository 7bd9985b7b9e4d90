import { fileURLToPath, pathToFileURL } from 'node:url';
import { query } from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import type { Candidate } from './measure.ts';

const AGENT = fileURLToPath(new URL('prompted-agent.mjs', import.meta.url));

/** A complete host of an agent that answers a prompt with a given number of messages and a result. */
export interface PromptedHost {
  readonly ask: Candidate;
  close(): void;
}

/** Our host. */
export function ourHost(fixture: string, count: number): PromptedHost {
  const prompts = promptQueue((text) => text);
  const session = query({
    prompt: prompts.all(),
    transport: ({ args, env }) => {
      const variables = { ...inheritEnvironment(env), FIXTURE: fixture };
      return spawnAgent({ command: process.execPath, args: [AGENT, ...args], env: variables });
    },
    launch: { includePartialMessages: true },
  });
  return { ask: asking(session, count, prompts.add), close: prompts.end };
}

/** The host of the vendor's SDK, by the path of its module. Its licence does not allow us to install it with the benchmarks. */
export async function vendorHost(path: string, fixture: string, count: number): Promise<PromptedHost> {
  const sdk = (await import(pathToFileURL(path).href)) as {
    query(options: object): AsyncIterable<{ readonly type: string }>;
  };
  const prompts = promptQueue((text) => ({
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id: '',
  }));
  const options = {
    pathToClaudeCodeExecutable: AGENT,
    includePartialMessages: true,
    env: { PATH: process.env['PATH'], FIXTURE: fixture },
  };
  const session = sdk.query({ prompt: prompts.all(), options });
  return { ask: asking(session, count, prompts.add), close: prompts.end };
}

/** Sends a prompt, and counts the messages of the answer. */
function asking(
  session: AsyncIterable<{ readonly type: string }>,
  count: number,
  add: (text: string) => void,
): Candidate {
  const messages = session[Symbol.asyncIterator]();
  return async () => {
    add(String(count));
    for (let seen = 0; ; seen++) {
      const { value, done } = await messages.next();
      if (done === true) throw new Error('the agent has ended');
      if (value.type === 'result') return seen;
    }
  };
}

function promptQueue<Prompt>(make: (text: string) => Prompt) {
  const waiting: Prompt[] = [];
  let ended = false;
  let wake: () => void = () => {};
  return {
    add(text: string) {
      waiting.push(make(text));
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *all() {
      for (;;) {
        const prompt = waiting.shift();
        if (prompt !== undefined) yield prompt;
        else if (ended) return;
        else await new Promise<void>((resolve) => void (wake = resolve));
      }
    },
  };
}
