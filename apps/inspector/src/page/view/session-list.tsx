import { FileButton } from './file-button.tsx';
import { visible } from './formats.ts';
import type { ServerSession } from './server-api.ts';

export interface SessionListProps {
  readonly sessions: readonly ServerSession[];
  readonly onOpen: (session: ServerSession) => void;
  readonly onFile: (file: File) => void;
  readonly onReload: () => void;
}

/** Shows the sessions on a server that the account may read. */
export function SessionList({ sessions, onOpen, onFile, onReload }: SessionListProps) {
  return (
    <main class="entrance is-wide">
      <header class="row">
        <h1>Sessions</h1>
        <span class="grow" />
        <button type="button" onClick={onReload}>
          Reload
        </button>
        <FileButton onFile={onFile} />
      </header>
      {sessions.length === 0 ? (
        <p class="empty">No session yet. To create one: sjp connect URL --session new --format text</p>
      ) : (
        <ul class="sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <button type="button" onClick={() => onOpen(session)}>
                <span class="title">{visible(session.name) || 'without a title'}</span>
                {session.prompt !== undefined && <span class="prompt">{visible(session.prompt)}</span>}
                {session.state !== undefined && <span class="mark">{visible(session.state)}</span>}
                {(session.openRequests ?? 0) > 0 && <span class="flag is-warning">{session.openRequests} waiting</span>}
                <code>{session.id}</code>
                {session.createdAt !== undefined && <time>{new Date(session.createdAt).toLocaleString()}</time>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
