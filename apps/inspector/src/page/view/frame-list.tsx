import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FrameRow } from '../engine/frame-rows.ts';
import type { EngineClient } from '../engine/worker.ts';
import { FrameLine } from './frame-line.tsx';
import { MAX_SCROLL_HEIGHT, ROW_HEIGHT, ScrollScale } from './scroll-scale.ts';

export interface FrameListProps {
  readonly engine: EngineClient;
  /** How many frames pass the filter. */
  readonly count: number;
  /** A value that changes with the content, so that rows are requested again. */
  readonly version: string;
  readonly selected: { readonly index: number; readonly place: number } | undefined;
  readonly isFollowing: boolean;
  readonly onSelect: (index: number, place: number) => void;
  readonly onFollow: (isFollowing: boolean) => void;
}

const OVERSCAN = 8;
const ASK_AGAIN_MS = 1000;

/** Shows the frames, in rows of equal height. Only rows near the visible part are in the page. */
export function FrameList({ engine, count, version, selected, isFollowing, onSelect, onFollow }: FrameListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const rows = useRows(engine, version, range(view, count));
  const scale = new ScrollScale(count, view.height);

  const measure = useCallback(() => {
    const { current } = box;
    if (current === null) return;
    setView({
      top: new ScrollScale(count, current.clientHeight).topOf(current.scrollTop),
      height: current.clientHeight,
    });
  }, [count]);
  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [measure]);

  const scrollTo = useCallback(
    (top: number) => {
      const { current } = box;
      if (current !== null) current.scrollTop = new ScrollScale(count, current.clientHeight).scrollTopOf(top);
      measure();
    },
    [count, measure],
  );
  useLayoutEffect(() => {
    if (isFollowing) scrollTo(count * ROW_HEIGHT);
  }, [isFollowing, count, scrollTo]);
  useLayoutEffect(() => {
    if (selected === undefined) return;
    const top = selected.place * ROW_HEIGHT;
    if (top < view.top) scrollTo(top);
    else if (top + ROW_HEIGHT > view.top + view.height) scrollTo(top + ROW_HEIGHT - view.height);
  }, [selected?.place, selected?.index]);

  const move = (place: number) => {
    const to = Math.max(0, Math.min(count - 1, place));
    onFollow(false);
    void engine.call('frameAtPlace', to).then((index) => index !== undefined && onSelect(index, to));
  };
  const [from, to] = range(view, count);
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  return (
    <div
      ref={box}
      class="frames"
      id="frames"
      role="listbox"
      aria-label="Frames"
      tabIndex={0}
      {...(selected !== undefined && { 'aria-activedescendant': `frame-${selected.index}` })}
      onScroll={() => {
        measure();
        const { current } = box;
        const isAtEnd =
          current !== null && current.scrollTop + current.clientHeight >= current.scrollHeight - ROW_HEIGHT;
        if (!isAtEnd && isFollowing) onFollow(false);
      }}
      onWheel={(event) => {
        if (!scale.isScaled || event.ctrlKey) return;
        // Otherwise one turn of the wheel would skip many rows.
        event.preventDefault();
        scrollTo(scale.clamp(view.top + event.deltaY));
      }}
      onKeyDown={(event) => {
        const step = STEPS[event.key]?.(Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1), count);
        if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        move((selected?.place ?? -1) + step);
      }}
    >
      <div
        class="frames-space"
        role="presentation"
        style={{ height: `${Math.min(MAX_SCROLL_HEIGHT, count * ROW_HEIGHT)}px` }}
      >
        <div
          class="frames-window"
          role="presentation"
          style={{ transform: `translateY(${scale.offsetOf(from * ROW_HEIGHT, view.top)}px)` }}
        >
          {places.map((place) => (
            <FrameLine
              key={place}
              row={rows.get(place)}
              place={place}
              count={count}
              isSelected={rows.get(place)?.index === selected?.index && selected !== undefined}
              onSelect={onSelect}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, (page: number, count: number) => number>> = {
  ArrowDown: () => 1,
  j: () => 1,
  ArrowUp: () => -1,
  k: () => -1,
  PageDown: (page) => page,
  PageUp: (page) => -page,
  Home: (_, count) => -count,
  End: (_, count) => count,
};

function range(
  { top, height }: { readonly top: number; readonly height: number },
  count: number,
): readonly [number, number] {
  const from = Math.max(0, Math.floor(top / ROW_HEIGHT) - OVERSCAN);
  return [from, Math.min(count, Math.ceil((top + height) / ROW_HEIGHT) + OVERSCAN)];
}

/** Requests the rows. Known rows are shown until the new rows arrive. */
function useRows(
  engine: EngineClient,
  version: string,
  [from, to]: readonly [number, number],
): ReadonlyMap<number, FrameRow> {
  const [rows, setRows] = useState<ReadonlyMap<number, FrameRow>>(new Map());
  const asked = useRef<{ busy: boolean; isLeft: boolean; next: (() => void) | undefined }>({
    busy: false,
    isLeft: false,
    next: undefined,
  });
  useEffect(() => () => void (asked.current.isLeft = true), []);
  useEffect(() => {
    const { current } = asked;
    const ask = async () => {
      current.busy = true;
      const found = await engine.call('rows', from, to).catch(() => undefined);
      if (found !== undefined) setRows(new Map(found.map((row, at) => [from + at, row])));
      current.busy = false;
      // Of the ranges that were requested in the meantime, only the last one is used.
      const { next } = current;
      current.next = undefined;
      if (next !== undefined) next();
      else if (found === undefined && !current.isLeft) setTimeout(() => void (current.busy || ask()), ASK_AGAIN_MS);
    };
    if (current.busy) current.next = () => void ask();
    else void ask();
  }, [engine, version, from, to]);
  return rows;
}
