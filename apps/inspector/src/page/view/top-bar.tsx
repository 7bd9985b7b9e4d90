import { useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import type { EngineClient } from '../engine/worker.ts';
import { FileButton } from './file-button.tsx';
import { bytesText, countText, visible } from './formats.ts';
import { useKeys } from './keys.ts';
import { newTicket, type Opened, type ServerState } from './server-api.ts';
import { toggleTheme } from './theme.ts';

export interface TopBarProps {
  readonly engine: EngineClient;
  readonly opened: Opened;
  readonly progress: Progress | undefined;
  /** The state of the session on the server; undefined for a file on this machine. */
  readonly state: ServerState | undefined;
  readonly isLinked: boolean;
  readonly onFile: (file: File) => void;
  /** Goes back to the list of sessions; undefined if no list exists. */
  readonly onLeave: (() => void) | undefined;
  readonly onNotice: (text: string) => void;
  readonly onHelp: () => void;
}

/** Shows the name and the state of the session, and the actions that apply to the whole session. */
export function TopBar({ engine, opened, progress, state, isLinked, onFile, onLeave, onNotice, onHelp }: TopBarProps) {
  const [isExporting, setExporting] = useState(false);
  const name = opened.kind === 'file' ? opened.file.name : opened.session.name;
  const exportAll = async () => {
    setExporting(true);
    try {
      const { blob, redactedEntries } = await engine.call('export');
      saveAsDownload(blob, `${name.replaceAll(/[^\w.-]+/g, '-').replace(/\.\w+$/, '')}-redacted.jsonl`);
      onNotice(
        `Exported ${bytesText(blob.size)}. Secrets were removed from ${redactedEntries} frames: check the file before you share it.`,
      );
    } catch (error) {
      onNotice(`The export failed: ${(error as Error).message}`);
    }
    setExporting(false);
  };
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}/#ticket=${await newTicket()}`);
      onNotice('Copied a link for another browser. It can be used once, within 60 s.');
    } catch (error) {
      onNotice(`Cannot create a link: ${(error as Error).message}`);
    }
  };
  useKeys({ e: () => void exportAll(), t: toggleTheme, o: () => document.getElementById('file')?.click() });
  return (
    <header class="top">
      {onLeave !== undefined && (
        <button type="button" onClick={onLeave} aria-label="Back to the sessions" class="quiet">
          ‹
        </button>
      )}
      <h1 title={visible(name)}>{visible(name)}</h1>
      <LiveMark {...{ opened, state, isLinked, progress }} />
      <Counts progress={progress} />
      <span class="grow" />
      {opened.kind === 'session' && (
        <button
          type="button"
          onClick={() => void copyLink()}
          title="Copy a link for another browser, which gets the same rights"
        >
          Copy link
        </button>
      )}
      <FileButton onFile={onFile} />
      <button
        type="button"
        onClick={() => void exportAll()}
        disabled={isExporting || (progress?.frames ?? 0) === 0}
        title="Save the recording without secrets (e)"
      >
        {isExporting ? 'Exporting…' : 'Export redacted'}
      </button>
      <button type="button" class="quiet" onClick={toggleTheme} aria-label="Dark or light" title="Dark or light (t)">
        ◐
      </button>
      <button type="button" class="quiet" onClick={onHelp} aria-label="Keys and filters" title="Keys and filters (?)">
        ?
      </button>
    </header>
  );
}

function LiveMark({
  opened,
  state,
  isLinked,
  progress,
}: Pick<TopBarProps, 'opened' | 'state' | 'isLinked' | 'progress'>) {
  if (opened.kind === 'file') return <span class="mark">file</span>;
  if (!isLinked) return <span class="mark is-error">no connection to the command</span>;
  if (state?.trouble !== undefined) return <span class="mark is-warning">{state.trouble}</span>;
  if (state === undefined) return <span class="mark">connecting</span>;
  if (state.isEnded) return <span class="mark">ended</span>;
  const { isReading, bytes, totalBytes } = progress ?? { isReading: false, bytes: 0, totalBytes: 1 };
  if (isReading && totalBytes > 2 ** 20)
    return <span class="mark">reading {Math.floor((bytes / totalBytes) * 100)} %</span>;
  return state.rights.send ? <span class="mark is-live">live</span> : <span class="mark">read only</span>;
}

function Counts({ progress }: Pick<TopBarProps, 'progress'>) {
  if (progress === undefined) return undefined;
  const { counts, totalBytes, indexBytes } = progress;
  const parts: readonly (readonly [count: number, name: string, kind: string])[] = [
    [counts.invalid, 'invalid', 'is-error'],
    [counts.lost, 'lost', 'is-error'],
    [counts.unknown, 'unknown', 'is-warning'],
    [counts.unmatched, 'unmatched', 'is-warning'],
  ];
  return (
    <span
      class="counts"
      data-index-bytes={indexBytes}
      title={`${bytesText(indexBytes)} of memory for the list and the timeline; texts stay in the recording`}
    >
      <span>{bytesText(totalBytes)}</span>
      {parts.map(
        ([count, name, kind]) => count > 0 && <span key={name} class={kind}>{`${countText(count)} ${name}`}</span>,
      )}
    </span>
  );
}

function saveAsDownload(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
