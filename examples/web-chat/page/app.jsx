// The page: signs in, lists the sessions, and shows one of them.
import { listSessions, openSession } from '@proto/remote';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat.jsx';

const base = location.origin;

/** Exchanges the code in the link for the token. The code is in the part of the address that a browser never sends. */
async function signIn() {
  const code = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  if (code !== '') {
    const response = await fetch('/sign-in', { method: 'POST', body: code });
    if (response.ok) localStorage.setItem('chat-token', await response.text());
  }
  return localStorage.getItem('chat-token');
}

function App({ token }) {
  const [sessions, setSessions] = useState([]);
  const [id, setId] = useState(localStorage.getItem('chat-session'));
  useEffect(() => {
    const refresh = () => void listSessions({ base, token }).then((page) => setSessions(page.sessions), console.warn);
    refresh();
    const timer = setInterval(refresh, 3000);
    return () => clearInterval(timer);
  }, [id]);
  const open = (session) => {
    localStorage.setItem('chat-session', session);
    setId(session);
  };
  const create = async () => open((await openSession({ base, session: 'new', token, title: 'New chat' })).id);
  return (
    <>
      <nav aria-label="Chats">
        <button type="button" onClick={create} children="New chat" />
        {sessions.map((one) => (
          <button key={one.id} type="button" aria-current={one.id === id} onClick={() => open(one.id)}>
            {one.title} {one.createdAt.toLocaleTimeString()}
            {one.openRequests > 0 && <strong> asks</strong>}
          </button>
        ))}
      </nav>
      {id === null ? <main>Begin a new chat.</main> : <Chat key={id} base={base} id={id} token={token} />}
    </>
  );
}

const token = await signIn();
const page = token === null ? <main>Open the link that the server prints.</main> : <App token={token} />;
createRoot(document.body).render(page);
