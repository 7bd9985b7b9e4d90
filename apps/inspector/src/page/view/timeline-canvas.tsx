import { useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import type { SpanView } from '../engine/span-lanes.ts';
import type { EngineClient } from '../engine/worker.ts';
import { barAt, drawTimeline, LABEL_WIDTH, timelineHeight } from './draw-timeline.ts';
import { countText, durationText, visible } from './formats.ts';
import { useKeys } from './keys.ts';

/** A frame in the list, and its position there. */
export interface Selection {
  readonly index: number;
  readonly place: number;
}

export interface TimelineCanvasProps {
  readonly engine: EngineClient;
  readonly progress: Progress;
  readonly selected: Selection | undefined;
  readonly onSelect: (index: number) => void;
}

interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** Shows spans in lanes over time. The wheel zooms, dragging moves the view, and a click chooses the frame with which a span begins. */
export function TimelineCanvas({ engine, progress, selected, onSelect }: TimelineCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { start, end, hasTimes } = progress;
  const [zoom, setZoom] = useState<Zoom>();
  const [view, setView] = useState<SpanView>();
  const [width, setWidth] = useState(600);
  const [mark, setMark] = useState<number>();
  const [hover, setHover] = useState('');
  const [theme, setTheme] = useState(0);
  const { from, to } = zoom ?? { from: start, to: end };

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 600)));
    const parent = canvas.current?.parentElement ?? null;
    if (parent !== null) observer.observe(parent);
    const redraw = () => setTheme((last) => last + 1);
    addEventListener('themechange', redraw);
    return () => {
      observer.disconnect();
      removeEventListener('themechange', redraw);
    };
  }, []);
  useLatest(
    async () => setView(await engine.call('timeline', { from, to, width: width - LABEL_WIDTH })),
    [from, to, width, progress.spans, progress.frames, progress.waiting],
  );
  useEffect(() => {
    if (selected === undefined) setMark(undefined);
    else void engine.call('axisPlaceOf', selected.index).then(setMark);
  }, [engine, selected?.index]);
  useEffect(() => {
    if (canvas.current !== null && view !== undefined) drawTimeline(canvas.current, { view, width, hasTimes, mark });
  }, [view, width, mark, theme, hasTimes]);

  const change = (factor: number, around = (from + to) / 2) => {
    const span = Math.max((to - from) * factor, hasTimes ? 1 : 4);
    if (span >= end - start) return setZoom(undefined);
    const begin = around - ((around - from) / (to - from)) * span;
    return setZoom(within({ from: begin, to: begin + span }, start, end));
  };
  const shift = (part: number) =>
    zoom && setZoom(within({ from: from + (to - from) * part, to: to + (to - from) * part }, start, end));
  useKeys({
    '+': () => change(0.5),
    '=': () => change(0.5),
    '-': () => change(2),
    0: () => setZoom(undefined),
    '[': () => shift(-0.25),
    ']': () => shift(0.25),
  });
  const placeAt = (x: number) => from + ((x - LABEL_WIDTH) / Math.max(1, width - LABEL_WIDTH)) * (to - from);
  const drag = useDrag((pixels) => shift(-pixels / (width - LABEL_WIDTH)));
  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Timeline: ${countText(progress.spans)} spans of ${countText(progress.frames)} frames${hasTimes ? ` over ${durationText(end - start)}` : ', by number, because the lines have no timestamps'}`}
        style={{ height: `${view === undefined ? 120 : timelineHeight(view)}px` }}
        onWheel={(event) => {
          event.preventDefault();
          if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) shift(event.deltaX / width);
          else change(event.deltaY > 0 ? 1.25 : 0.8, placeAt(event.offsetX));
        }}
        onPointerDown={drag.down}
        onPointerMove={(event) => {
          drag.move(event);
          const bar = view && barAt(view, { x: event.offsetX, y: event.offsetY, width });
          setHover(
            bar === undefined
              ? ''
              : `${visible(bar.name)}${bar.count > 1 ? ` and ${bar.count - 1} more` : ''} · ${hasTimes ? durationText(bar.to - bar.from) : `${bar.to - bar.from} frames`} · ${bar.status}`,
          );
        }}
        onPointerUp={(event) => {
          if (drag.up()) return;
          const bar = view && barAt(view, { x: event.offsetX, y: event.offsetY, width });
          if (bar !== undefined) onSelect(bar.first);
          else if (event.offsetX > LABEL_WIDTH) void engine.call('frameAt', placeAt(event.offsetX)).then(onSelect);
        }}
        onPointerLeave={() => setHover('')}
      />
      <div class="timeline-foot">
        <span class="hint grow">
          {hover ||
            (hasTimes
              ? 'Wheel: zoom · drag: move · click: go to the frame'
              : 'The lines have no timestamps: the axis counts frames')}
        </span>
        <button type="button" class="quiet" aria-label="Zoom in" onClick={() => change(0.5)}>
          +
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="Zoom out"
          onClick={() => change(2)}
          disabled={zoom === undefined}
        >
          −
        </button>
        <button type="button" class="quiet" onClick={() => setZoom(undefined)} disabled={zoom === undefined}>
          Fit
        </button>
      </div>
    </div>
  );
}

function within({ from, to }: Zoom, start: number, end: number): Zoom {
  const span = Math.min(to - from, end - start);
  const begin = Math.max(start, Math.min(end - span, from));
  return { from: begin, to: begin + span };
}

/** Runs one call at a time. Of the calls that are requested in the meantime, only the last call runs. */
function useLatest(call: () => Promise<void>, changes: readonly unknown[]): void {
  const state = useRef<{ busy: boolean; next: (() => Promise<void>) | undefined }>({ busy: false, next: undefined });
  useEffect(() => {
    const { current } = state;
    const run = async (now: () => Promise<void>) => {
      current.busy = true;
      await now().catch(() => {});
      current.busy = false;
      const { next } = current;
      current.next = undefined;
      if (next !== undefined) void run(next);
    };
    if (current.busy) current.next = call;
    else void run(call);
  }, [...changes]);
}

function useDrag(onDrag: (pixels: number) => void) {
  const state = useRef<{ x: number; moved: number } | undefined>(undefined);
  return {
    down: (event: PointerEvent) => {
      state.current = { x: event.clientX, moved: 0 };
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    move: (event: PointerEvent) => {
      const { current } = state;
      if (current === undefined) return;
      const by = event.clientX - current.x;
      state.current = { x: event.clientX, moved: current.moved + Math.abs(by) };
      if (by !== 0) onDrag(by);
    },
    /** Ends a drag. Returns true if the pointer was moved, so that the action was not a click. */
    up: () => {
      const hasMoved = (state.current?.moved ?? 0) > 3;
      state.current = undefined;
      return hasMoved;
    },
  };
}
