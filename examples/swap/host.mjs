// AGENT_URL=… node host.mjs: a host that does not know where its agent is. It writes its transcript to stderr, because stdout may carry the protocol.
import { createHostSession, createTextAssembler } from '@proto/host';
import { connectUri } from '@proto/core/transport';
import { sseScheme } from '@proto/transport-sse';
import { execScheme, stdioScheme } from '@proto/transport-stdio';
import { webSocketScheme } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';

const { AGENT_URL = 'exec:sjp-agent', AGENT_TOKEN: token } = process.env;
const schemes = [stdioScheme, execScheme, webSocketScheme, sseScheme];
const credentials = token === undefined ? {} : { credential: token };
const transport = connectUri(AGENT_URL, schemes, { ...credentials, open: openSocket });

const say = (...words) => console.error(...words);
const session = createHostSession(transport, {
  canUseTool({ tool_name, input }) {
    say('? %s %j', tool_name, input);
    return tool_name === 'Bash' ? { behavior: 'deny', message: 'no shell here' } : { behavior: 'allow' };
  },
});

/** Runs one turn, and calls `act` once the text has begun. */
async function turn(prompt, act = async () => {}) {
  say('> %s', prompt);
  const text = createTextAssembler();
  let said = '';
  let acted;
  await session.prompt(prompt).accepted;
  for await (const message of session.untilResult()) {
    said += text.add(message);
    if (said !== '') acted ??= act();
    if (message.type === 'result')
      say('= %s, %d refused: %s', message.subtype, message.permission_denials.length, message.result);
  }
  await acted;
}

await session.initialized;
await turn('/echo the same words, ü and 😀, wherever I am');
await turn('/bash echo something\n/echo refused');
await turn('/ask Which?|A|B');
await turn('/slow 60', async () => say('! %s', (await session.interrupt()).outcome));
say('mode %s', (await session.request('set_permission_mode', { mode: 'plan' })).mode);
await session.close();
