import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import { type EngineClient, startEngine } from '../engine/worker.ts';
import { Entrance } from './entrance.tsx';
import {
  enter,
  followState,
  listSessions,
  recordingUrl,
  ServerError,
  type Opened,
  type ServerSession,
  type ServerState,
  takeTicket,
} from './server-api.ts';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';

type Stage =
  | { readonly at: 'loading' }
  | { readonly at: 'refused'; readonly why: string }
  | { readonly at: 'list'; readonly sessions: readonly ServerSession[] };

/** The page: the entrance, the list of sessions, or one session. */
export function App({ script }: { readonly script: string }) {
  const [progress, setProgress] = useState<Progress>();
  const engine = useRef<EngineClient | undefined>(undefined);
  engine.current ??= startEngine(script, setProgress);
  const [stage, setStage] = useState<Stage>({ at: 'loading' });
  const [opened, setOpened] = useState<Opened>();
  const [state, setState] = useState<ServerState>();
  const [isLinked, setLinked] = useState(true);
  const openings = useRef(0);

  // The call to the engine comes before the filter can be used, so that a filter that is typed at once is not lost.
  const show = useCallback((next: Opened) => {
    openings.current++;
    setProgress(undefined);
    setState(undefined);
    setOpened(next);
    if (next.kind === 'file') void engine.current?.call('openFile', next.file);
    else void engine.current?.call('openSession', next.session.name, recordingUrl(next.session.id));
  }, []);

  const load = useCallback(
    async (secret?: Parameters<typeof enter>[0]) => {
      try {
        if (secret !== undefined) await enter(secret);
        const sessions = await listSessions();
        setStage({ at: 'list', sessions });
        const [only] = sessions;
        if (sessions.length === 1 && only !== undefined) show({ kind: 'session', session: only });
      } catch (error) {
        const { message, status } = error as ServerError;
        // After a reload, the page has a cookie, and its ticket has already been used.
        if (secret !== undefined && 'ticket' in secret && status === 401) return load();
        setStage({ at: 'refused', why: message });
      }
      return undefined;
    },
    [show],
  );
  useEffect(() => {
    const ticket = takeTicket();
    void load(ticket === undefined ? undefined : { ticket });
  }, [load]);

  useEffect(() => {
    if (opened?.kind !== 'session') return undefined;
    return followState(
      opened.session.id,
      (next) => {
        setState(next);
        void engine.current?.call('sessionState', next);
      },
      setLinked,
    );
  }, [opened]);

  const openFile = useCallback((file: File) => show({ kind: 'file', file }), [show]);
  useDroppedFiles(openFile);

  if (opened !== undefined && engine.current !== undefined) {
    const isOne = stage.at === 'list' && stage.sessions.length === 1 && opened.kind === 'session';
    const leave = () => {
      setOpened(undefined);
      setState(undefined);
      void load();
    };
    return (
      <SessionView
        key={openings.current}
        engine={engine.current}
        opened={opened}
        progress={progress}
        state={opened.kind === 'session' ? state : undefined}
        isLinked={isLinked}
        onFile={openFile}
        onLeave={isOne ? undefined : leave}
      />
    );
  }
  if (stage.at === 'list') {
    const open = (session: ServerSession) => show({ kind: 'session', session });
    return <SessionList sessions={stage.sessions} onOpen={open} onFile={openFile} onReload={() => void load()} />;
  }
  return (
    <Entrance
      isLoading={stage.at === 'loading'}
      why={stage.at === 'refused' ? stage.why : undefined}
      onToken={(token) => void load({ token })}
      onFile={openFile}
    />
  );
}

function useDroppedFiles(open: (file: File) => void): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      document.body.classList.add('is-dropping');
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) document.body.classList.remove('is-dropping');
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      document.body.classList.remove('is-dropping');
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) open(file);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [open]);
}
