import { useState } from 'preact/hooks';
import { FileButton } from './file-button.tsx';

export interface EntranceProps {
  readonly isLoading: boolean;
  /** Why access was refused; undefined while this is not known. */
  readonly why: string | undefined;
  readonly onToken: (token: string) => void;
  readonly onFile: (file: File) => void;
}

/** Shows the page without a session: the reason why no session is shown, and the fields for a token or a file. */
export function Entrance({ isLoading, why, onToken, onFile }: EntranceProps) {
  const [token, setToken] = useState('');
  if (isLoading) return <main class="entrance" aria-busy="true" />;
  const takesToken = why?.includes('token') === true;
  return (
    <main class="entrance">
      <h1>Inspector</h1>
      <p role="alert" class="trouble">
        Access denied: {why}.
      </p>
      {takesToken ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onToken(token);
          }}
        >
          <label for="token">Token of your account</label>
          <div class="field">
            <input
              id="token"
              type="password"
              autocomplete="off"
              value={token}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
            <button type="submit" class="primary" disabled={token === ''}>
              Sign in
            </button>
          </div>
          <p class="hint">The page gets the rights of this account, and does not store the token.</p>
        </form>
      ) : (
        <p>
          Stop the command and start it again, or copy a new link from a page that is open, with <b>Copy link</b>.
        </p>
      )}
      <p class="hint">A recording can be read without a server: drop it here.</p>
      <FileButton onFile={onFile} />
    </main>
  );
}
