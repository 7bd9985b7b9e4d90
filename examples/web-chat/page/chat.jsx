// One session: its turns, what is being written, its questions, and the form for the next prompt.
import { createHostSession } from '@proto/host';
import { createSessionView } from '@proto/host/view';
import { openViewer, sessionUrl } from '@proto/remote';
import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import { Composer } from './composer.jsx';
import { QuestionCard } from './question-card.jsx';

const LINK = { connecting: 'connecting', up: 'connected', down: 'reconnecting', ended: 'disconnected' };

function openChat({ base, id, token }) {
  const view = createSessionView();
  const viewer = openViewer({ url: sessionUrl(base, id), prefer: 'ws', credential: token });
  const session = createHostSession(viewer, view.callbacks);
  void view.follow(session);
  return { view, session };
}

export function Chat(props) {
  const [{ view, session }] = useState(() => openChat(props));
  useEffect(() => () => void session.close(), [session]);
  const { turns, streaming, queue, ...rest } = useSyncExternalStore(view.subscribe, view.getSnapshot);
  const { questions, status, link, usage, info } = rest;
  return (
    <main>
      <header data-link={link.state}>
        <h1>Chat</h1>
        <span role="status">{LINK[link.state]}</span> {info.model} ${usage.totalCostUsd.toFixed(4)}
      </header>
      <div role="log" aria-label="Conversation" tabIndex={0}>
        {turns.map(({ id, items, outcome = 'success' }) => (
          <section key={id}>
            <Items items={items} />
            {outcome !== 'success' && <p className="error">The turn ended: {outcome}.</p>}
          </section>
        ))}
        {streaming.map(({ id, kind, name, text }) => (
          <p key={id} className={`${kind} writing`} children={`${name} ${text}`} />
        ))}
        <Items items={queue} />
      </div>
      {questions.map((question) => (
        <QuestionCard key={question.id} question={question} />
      ))}
      <Composer onSend={view.prompt} isRunning={status !== 'idle'} onStop={() => session.interrupt()} />
    </main>
  );
}

const Items = memo(({ items }) => items.map((item) => <Item key={item.id} item={item} />));

const Item = memo(({ item }) => {
  const { kind, text } = item;
  if (kind === 'call') return <Call call={item} />;
  if (kind === 'block') return <Content content={[item.block]} />;
  if (kind !== 'prompt') return text && <p className={`${kind} ${item.error ? 'error' : item.level}`}>{text}</p>;
  return (
    <article className="prompt" aria-label={`Prompt, ${item.state}`}>
      <Content content={item.content} />
    </article>
  );
});

const Call = ({ call: { name, input, state, result, items } }) => (
  <details className="call" data-state={state}>
    <summary>
      {name} <code>{String(input.command ?? input.file_path ?? input.description ?? '')}</code> {state}
    </summary>
    <pre>{JSON.stringify(input, null, 2)}</pre>
    {result && <Content content={result} />}
    <Items items={items} />
  </details>
);

/** The texts and images of a prompt or of the result of a tool. Everything else is shown by its type. */
function Content({ content }) {
  if (typeof content === 'string') return <pre>{content}</pre>;
  return content.map(({ type, text, source }, index) => {
    const { media_type: media, data } = Object(source);
    if (type === 'text') return <pre key={index}>{String(text)}</pre>;
    if (type !== 'image' || !/^image\/\w+$/.test(media)) return <em key={index}>{type}</em>;
    return <img key={index} alt="Attachment" src={`data:${media};base64,${data}`} />;
  });
}
