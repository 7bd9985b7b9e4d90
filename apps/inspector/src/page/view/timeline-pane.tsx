import { useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import type { EngineClient } from '../engine/worker.ts';
import { FiguresView } from './figures-view.tsx';
import { type Selection, TimelineCanvas } from './timeline-canvas.tsx';

export interface TimelinePaneProps {
  readonly engine: EngineClient;
  readonly progress: Progress | undefined;
  readonly selected: Selection | undefined;
  readonly onSelect: (index: number) => void;
}

const VIEWS = ['Timeline', 'Latency', 'Throughput'] as const;

/** Shows the timeline, or statistics of the session. */
export function TimelinePane({ engine, progress, selected, onSelect }: TimelinePaneProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('Timeline');
  return (
    <div class="timeline-pane">
      <div role="tablist" aria-label="Pictures" class="row tabs">
        {VIEWS.map((name) => (
          <button
            key={name}
            id={`view-${name}`}
            type="button"
            role="tab"
            aria-selected={view === name}
            aria-controls="picture"
            onClick={() => setView(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="picture" role="tabpanel" aria-labelledby={`view-${view}`} class="picture">
        {progress === undefined || progress.frames === 0 ? (
          <p class="empty">Spans of turns, tools and requests appear here.</p>
        ) : view === 'Timeline' ? (
          <TimelineCanvas {...{ engine, progress, selected, onSelect }} />
        ) : (
          <FiguresView {...{ engine, progress, onSelect }} kind={view} />
        )}
      </div>
    </div>
  );
}
