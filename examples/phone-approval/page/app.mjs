// The page: signs the phone in, lists the sessions, and follows each of them.
import { button } from './elements.mjs';
import { followSession } from './session-card.mjs';

const REFRESH_MS = 3000;
const KEPT_TOKEN = 'approvals-token';

const part = (id) => document.getElementById(id);
/** The sessions on the page, by their ids. */
const followed = new Map();
const links = new Map();
let token = '';
let timer;

/**
 * Exchanges the code in the link for a token. The code is in the fragment of the URL, which a browser never sends, and works once. The token is never
 * part of a URL.
 */
async function signIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get('pair');
  history.replaceState(null, '', location.pathname);
  if (code === null) return localStorage.getItem(KEPT_TOKEN);
  const response = await fetch('/pair', { method: 'POST', body: JSON.stringify({ code }) });
  if (!response.ok) return localStorage.getItem(KEPT_TOKEN);
  const given = await response.json();
  localStorage.setItem(KEPT_TOKEN, given.token);
  return given.token;
}

async function signOut(text) {
  clearTimeout(timer);
  token = '';
  localStorage.removeItem(KEPT_TOKEN);
  for (const session of followed.values()) await session.close();
  followed.clear();
  part('sessions').replaceChildren();
  part('empty').hidden = part('forget').hidden = true;
  part('notice').textContent = text;
  part('notice').hidden = false;
  showLink('down', 'signed out');
}

function showLink(state, text) {
  part('link').dataset.state = state;
  part('link').textContent = text;
}

function showLinks() {
  const isUp = [...links.values()].every((state) => state === 'up');
  showLink(isUp ? 'up' : 'down', isUp ? 'connected' : 'reconnecting');
}

/** The sessions with open questions come first. */
function arrange() {
  const all = [...followed.values()];
  const asking = all.filter(({ open }) => open > 0).length;
  document.title = asking > 0 ? `(${asking}) Approvals` : 'Approvals';
  part('empty').hidden = all.some(({ open }) => open > 0);
  for (const { card, open } of all) card.style.order = open > 0 ? '0' : '1';
}

async function refresh() {
  clearTimeout(timer);
  try {
    const response = await fetch('/v1/code/sessions?limit=20', { headers: { authorization: `Bearer ${token}` } });
    if (response.status === 401) return await signOut('This phone is signed out. Open a new link from the computer.');
    links.set('list', response.ok ? 'up' : 'down');
    const { data = [] } = response.ok ? await response.json() : {};
    for (const session of data.filter(({ archived }) => !archived).reverse()) follow(session);
  } catch {
    links.set('list', 'down');
  }
  showLinks();
  timer = setTimeout(() => void refresh(), REFRESH_MS);
}

function follow({ id, title }) {
  if (followed.has(id)) return;
  links.set(id, 'down');
  const session = followSession({
    id,
    title,
    token,
    onLink(state) {
      links.set(id, state);
      showLinks();
    },
    onChange: arrange,
    // If the session can still be followed, the next list of sessions contains it.
    onEnd() {
      links.delete(id);
      followed.delete(id);
      session.card.remove();
      arrange();
    },
  });
  followed.set(id, session);
  part('sessions').prepend(session.card);
  arrange();
}

part('forget').replaceWith(
  Object.assign(
    button('Sign this phone out', 'quiet', () => signOut('This phone is signed out.')),
    { id: 'forget' },
  ),
);
// When the phone wakes up, the list is refreshed at once.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && token !== '') void refresh();
});
token = (await signIn().catch(() => null)) ?? '';
if (token === '') await signOut('Open the link that the computer shows. It works once, within ten minutes.');
else await refresh();
