import type { FrameRow, RowSpan } from '../engine/frame-rows.ts';
import { bytesText, countText, durationText, timeText, visible } from './formats.ts';

export interface FrameLineProps {
  readonly row: FrameRow | undefined;
  readonly place: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly onSelect: (index: number, place: number) => void;
}

/** Shows a frame in one line: its number, time, direction, name and content, the duration of its span, and its size. */
export function FrameLine({ row, place, count, isSelected, onSelect }: FrameLineProps) {
  if (row === undefined) return <div class="frame" role="option" aria-selected={false} aria-label="loading" />;
  const { index, time, dir, name, check, unmatched, bytes, summary, spans, depth } = row;
  const span = spans.find(({ begins }) => !begins) ?? spans[0];
  return (
    <div
      id={`frame-${index}`}
      class={`frame ${sideClass(dir)}`}
      role="option"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={place + 1}
      onClick={() => onSelect(index, place)}
    >
      <span class="number">{countText(index + 1)}</span>
      <span class="time">{timeText(time)}</span>
      <span class="way" role="img" aria-label={WAYS[dir ?? 'none']} title={WAYS[dir ?? 'none']}>
        {dir === 'from-host' ? '→' : dir === 'from-agent' ? '←' : '·'}
      </span>
      <span class="name" style={{ paddingLeft: `${depth * 10}px` }} title={visible(name)}>
        {visible(name)}
      </span>
      {flagOf(check, unmatched, row.kind)}
      <span class="summary">{visible(summary)}</span>
      <span class={`took ${span === undefined ? '' : `is-${span.status}`}`}>{span && tookText(span)}</span>
      <span class="size">{bytesText(bytes)}</span>
    </div>
  );
}

export const WAYS = { 'from-host': 'host to agent', 'from-agent': 'agent to host', none: 'event' } as const;

export function sideClass(dir: FrameRow['dir']): string {
  return dir === 'from-host' ? 'of-host' : dir === 'from-agent' ? 'of-agent' : 'of-none';
}

function tookText({ status, durationMs, begins, kind }: RowSpan): string {
  if (status === 'open') return 'open';
  if (durationMs === undefined) return begins ? kind : status;
  return `${begins ? '⟶ ' : ''}${durationText(durationMs)}`;
}

function flagOf(check: FrameRow['check'], unmatched: boolean, kind: FrameRow['kind']) {
  if (check === 'invalid') return <span class="flag is-error">{kind === 'lost' ? 'lost' : 'invalid'}</span>;
  if (check === 'unknown') return <span class="flag is-warning">unknown</span>;
  if (unmatched) return <span class="flag is-warning">unmatched</span>;
  if (check === 'dropped') return <span class="flag is-warning">invalid parts</span>;
  return undefined;
}
