import type { Step } from '@proto/testkit/steps';

import type { SessionWriter } from './session-writer.ts';

/** An unusual line of the host, and the requirement that an agent breaks if a session fails only because of this line. */
interface UnusualLine {
  readonly weight: number;
  readonly of: (session: SessionWriter) => readonly Step[];
}

/** Lines that the agent must ignore, or read like a usual line. */
export const UNUSUAL_LINES: readonly UnusualLine[] = [
  line('FRM-3', (session) => said(session.prompt('text', ' a\u2028b\u0085c'))),
  line('FRM-4', (session) => bytes(` \t${lineOf(session, session.prompt('text'))} \r\n`)),
  line('FRM-5', () => ({ 'say-text': '\n \t\r\n' })),
  line('FRM-7', (session) => ({
    ...bytes(`${lineOf(session, session.prompt('text', ' \u{1F600}é'))}\n`),
    pieces: 1 + session.below(40),
  })),
  // A chunk contains the end of a line and the beginning of the next one.
  line('FRM-7', (session) => {
    const lines = Array.from({ length: 2 + session.below(3) }, () => wideLine(session));
    return { ...bytes(lines.join('')), pieces: 20 + session.below(300) };
  }),
  // The end of a line arrives much later.
  line('FRM-7', (session) => {
    const text = wideLine(session);
    return { ...bytes(text), pieces: Math.ceil(Buffer.byteLength(text) * session.oneOf([0.4, 0.6, 0.8])), every: 600 };
  }),
  // The LF arrives alone.
  line('FRM-7', (session) => {
    const text = lineOf(session, session.prompt('text'));
    return { ...bytes(`${text}\n`), pieces: Buffer.byteLength(text) };
  }),
  line('FRM-8', (session) => said(Object.fromEntries(Object.entries(session.prompt()).toReversed()))),
  line('FRM-23', (session) => ({ 'say-text': `${session.oneOf(NOT_OBJECTS)(session)}\n` })),
  line('FRM-27', (session) => said(session.oneOf([{ type: 'keep_alive' }, { type: 'keep_alive', no_such_member: 1 }]))),
  line('MSG-8', (session) => said({ ...session.prompt(), no_such_member: { type: 'user', list: [null] } })),
  line('MSG-8', (session) => said({ ...session.request('mcp_status'), no_such_member: null })),
  line('MSG-12', (session) => said(session.oneOf([{ type: 'no_such_type', value: 1 }, { value: 1 }, {}]))),
  line('MSG-13', (session) =>
    said({ type: session.oneOf(['system', 'assistant', 'result']), subtype: 'no_such_subtype' }),
  ),
  line('MSG-30', (session) =>
    said({
      type: 'update_environment_variables',
      ...session.oneOf([{}, { variables: 'A=1' }, { variables: { A: 1 } }]),
    }),
  ),
  line('CTL-9', () =>
    said({ type: 'control_response', response: { subtype: 'success', request_id: 'no-such-id', response: {} } }),
  ),
  line('CTL-11', () => ({
    'say-all': [{}, { response: null }, { response: 7 }].map((members) => ({ type: 'control_response', ...members })),
  })),
  line('CTL-27', () => said({ type: 'control_cancel_request', request_id: 'no-such-id' })),
  line('TRN-2', (session) => said({ type: 'user', message: { role: 'user', content: session.contentOf('text') } })),
  line('TRN-3', (session) => said(session.prompt('text', [' one', ' two']))),
  line('TRN-4', (session) => said({ ...session.prompt(), session_id: 'no-such-session' })),
];

/** JSON values that are not objects. Some of them contain a message, which the agent must not read. */
const NOT_OBJECTS: readonly ((session: SessionWriter) => string)[] = [
  () => '7',
  () => '"text"',
  () => '[{}]',
  (session) => `[${hiddenPrompt(session)}]`,
  (session) => `[${hiddenPrompt(session)},${hiddenPrompt(session)}]`,
  (session) => `[[${hiddenPrompt(session)}]]`,
  (session) => JSON.stringify(hiddenPrompt(session)),
];

function hiddenPrompt(session: SessionWriter): string {
  return lineOf(session, { type: 'user', uuid: session.newId(), message: { role: 'user', content: '${prompt.text}' } });
}

/** A prompt or a request in which many characters have several bytes. */
function wideLine(session: SessionWriter): string {
  const wide = ' \u{1F600}é€'.repeat(10);
  if (session.isLucky(0.4)) return `${lineOf(session, session.prompt('text', wide))}\n`;
  return `${JSON.stringify({ ...session.request('mcp_status'), request_id: session.newId() + wide })}\n`;
}

function line(spec: string, of: (session: SessionWriter) => Step): UnusualLine {
  return { weight: 1, of: (session) => [{ ...of(session), spec }] };
}

function said(message: object): Step {
  return { say: message };
}

export function bytes(text: string): Step {
  return { 'say-bytes': [text] };
}

/** A message as JSON, with the prompts in place of their names. */
export function lineOf(session: SessionWriter, message: object): string {
  return JSON.stringify(message).replaceAll(/\$\{prompt\.([\w-]+)\}/g, (_, name: string) =>
    JSON.stringify(session.fact(name)).slice(1, -1),
  );
}
