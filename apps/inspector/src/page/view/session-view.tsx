import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import { FilterBar } from './filter-bar.tsx';
import { FrameDetails, type DetailTab } from './frame-details.tsx';
import { FrameList } from './frame-list.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { useKeys } from './keys.ts';
import { SessionControls } from './session-controls.tsx';
import type { Selection } from './timeline-canvas.tsx';
import { TimelinePane } from './timeline-pane.tsx';
import { TopBar, type TopBarProps } from './top-bar.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

/** The properties of a session's view. The top bar gets the same properties, and two functions of the view. */
export type SessionViewProps = Omit<TopBarProps, 'onNotice' | 'onHelp'>;

const FIRST: Selection = { index: 0, place: 0 };

/** Shows a session: the list of frames next to the timeline and the details, and the requests that wait for an answer. */
export function SessionView({ engine, opened, progress, state, isLinked, onFile, onLeave }: SessionViewProps) {
  const [chosen, setChosen] = useState<Selection>();
  const isOfFile = opened.kind === 'file' || opened.session.id === 'file';
  const isLive = !isOfFile && state?.isEnded === false;
  const [isFollowing, setFollowing] = useState(!isOfFile);
  const [tab, setTab] = useState<DetailTab>('tree');
  const [filterVersion, setFilterVersion] = useState(0);
  const [notice, setNotice] = useState<string>();
  const help = useRef<HTMLDialogElement>(null);
  const id = opened.kind === 'session' ? opened.session.id : undefined;

  const select = useCallback(
    async (index: number, place?: number) => {
      setFollowing(false);
      setChosen({ index, place: place ?? (await engine.call('placeOf', index)) });
    },
    [engine],
  );
  const shown = progress?.shown ?? 0;
  // When a session has just been opened, no frame is selected yet, so the first frame is shown.
  const selected = chosen ?? (shown > 0 ? FIRST : undefined);
  const jump = useCallback(async () => {
    const [span] = selected === undefined ? [] : await engine.call('spans', selected.index);
    if (span?.partner !== undefined) await select(span.partner);
  }, [engine, selected, select]);
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => setNotice(undefined), 6000);
    return () => clearTimeout(timer);
  }, [notice]);
  useKeys({
    p: () => void jump(),
    1: () => setTab('tree'),
    2: () => setTab('raw'),
    3: () => setTab('explained'),
    f: () => setFollowing((is) => !is),
    '?': () => help.current?.showModal(),
  });

  const version = `${filterVersion} ${shown} ${progress?.spans ?? 0} ${progress?.counts.unmatched ?? 0}`;
  return (
    <div class="session">
      <TopBar
        {...{ engine, opened, progress, state, isLinked, onFile, onLeave }}
        onNotice={setNotice}
        onHelp={() => help.current?.showModal()}
      />
      {progress?.failure !== undefined && shown > 0 && (
        <p class="banner trouble" role="alert">
          The rest of the recording cannot be read: {progress.failure}. Reload the page to try again.
        </p>
      )}
      <main class="panes">
        <section class="pane-list" aria-label="Frames">
          <FilterBar engine={engine} progress={progress} onFilter={() => setFilterVersion((last) => last + 1)} />
          {shown === 0 ? (
            <EmptyList {...{ progress, isLive, isConnected: id === undefined || state !== undefined }} />
          ) : (
            <FrameList
              {...{ engine, version, selected, isFollowing }}
              count={shown}
              onSelect={(index, place) => void select(index, place)}
              onFollow={setFollowing}
            />
          )}
        </section>
        <section class="pane-side" aria-label="Timeline and details">
          {id !== undefined && (
            <WaitingRequests
              {...{ engine, id }}
              version={`${progress?.waiting ?? 0} ${progress?.frames ?? 0}`}
              count={progress?.waiting ?? 0}
              canAnswer={state?.rights.send === true}
              onSelect={(index) => void select(index)}
              onNotice={setNotice}
            />
          )}
          <TimelinePane {...{ engine, progress, selected }} onSelect={(index) => void select(index)} />
          <FrameDetails
            {...{ engine, tab }}
            index={selected?.index}
            version={version}
            onTab={setTab}
            onSelect={(index) => void select(index)}
            onNotice={setNotice}
          />
        </section>
      </main>
      {id !== undefined && state !== undefined && <SessionControls {...{ id, state }} onNotice={setNotice} />}
      <div class="notice" role="status">
        {notice}
      </div>
      <HelpDialog dialog={help} />
    </div>
  );
}

interface EmptyListProps {
  readonly progress: Progress | undefined;
  readonly isLive: boolean;
  readonly isConnected: boolean;
}

function EmptyList({ progress, isLive, isConnected }: EmptyListProps) {
  if (progress?.failure !== undefined) {
    return (
      <p class="empty trouble" role="alert">
        The recording cannot be read: {progress.failure}
      </p>
    );
  }
  if (progress === undefined || !isConnected || progress.isReading || progress.isFiltering)
    return <p class="empty">Reading…</p>;
  if (progress.frames > 0)
    return <p class="empty">No frame matches the filter. Press Esc in the filter to show all {progress.frames}.</p>;
  return (
    <p class="empty">
      {isLive ? 'No frames yet. Frames appear here when they are sent.' : 'This recording has no frames.'}
    </p>
  );
}
