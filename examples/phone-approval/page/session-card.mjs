import { connectSession } from '@proto/core/transport';
import { createHostSession } from '@proto/host';
import { sseScheme } from '@proto/transport-sse';
import { webSocketScheme } from '@proto/transport-websocket';
import { element } from './elements.mjs';
import { createPromptCard } from './prompt-card.mjs';

/**
 * Follows one session, and shows what its agent asks. The transport reconnects by itself and continues after the last event that arrived, so a
 * question that was asked while the phone slept appears when the phone wakes up. `onLink` receives `up` or `down`. `onEnd` receives the error if the
 * server refuses the session permanently.
 */
export function followSession({ id, title, token, onLink, onChange, onEnd }) {
  const state = element('p');
  const latest = element('p', { className: 'latest', hidden: true });
  const prompts = element('div');
  const name = element('h2', { text: title || id });
  const card = element('section', { className: 'session' }, element('header', {}, name, state), prompts, latest);
  card.id = id;

  const transport = connectSession({
    url: `${location.origin}/v1/code/sessions/${id}`,
    // A page may have six event streams of one server at a time, but many WebSockets.
    prefer: ['websocket', 'sse'],
    schemes: [webSocketScheme, sseScheme],
    options: { credential: () => token, baseMs: 250, maxMs: 5000 },
  });
  transport.opened.then(
    () => onLink('up'),
    () => {},
  );
  const session = createHostSession(transport, { canUseTool: ask, onLink: ({ state: link }) => onLink(link) });
  // The page may only answer questions, so its `initialize` request fails if no other host has initialized the agent.
  session.initialized.catch(() => {});

  /** Shows a question until it is answered here or elsewhere, or the agent withdraws it. */
  function ask(request, { requestId, signal }) {
    const question = createPromptCard(request, (decision) => session.respond(requestId, decision));
    prompts.append(question);
    update();
    signal.addEventListener('abort', () => {
      question.remove();
      update();
    });
    return null; // The answer is sent with `respond`.
  }
  function show() {
    const open = prompts.childElementCount;
    card.classList.toggle('asks', open > 0);
    state.textContent = open > 0 ? (open === 1 ? 'asks you' : `asks you ${open} questions`) : 'no question';
  }
  function update() {
    show();
    onChange();
  }
  async function read() {
    for await (const message of session) {
      const text = summaryOf(message);
      if (text === undefined) continue;
      latest.textContent = text;
      latest.hidden = false;
    }
  }

  show();
  void read()
    .catch(() => {})
    .then(() => transport.closed)
    .then(({ error }) => onEnd(error));
  return {
    card,
    get open() {
      return prompts.childElementCount;
    },
    close: () => session.close(),
  };
}

/** Describes a message in one line; undefined for a message that is not useful to people. */
function summaryOf({ type, message, result, subtype }) {
  if (type === 'result') return `Finished: ${result ?? subtype}`;
  if (type !== 'assistant') return undefined;
  const text = message.content.filter((block) => block.type === 'text').map((block) => block.text);
  return text.length === 0 ? undefined : text.join(' ');
}
