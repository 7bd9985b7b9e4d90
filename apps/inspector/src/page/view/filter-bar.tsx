import { useRef, useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import type { EngineClient } from '../engine/worker.ts';
import { countText } from './formats.ts';
import { useKeys } from './keys.ts';

const SHORTCUTS: readonly (readonly [name: string, filter: string])[] = [
  ['Permissions', 'span:permission'],
  ['Tools', 'span:tool,subagent'],
  ['Requests', 'type:control_*'],
  ['Slow', 'duration:>1s'],
  ['Errors', 'status:error,invalid,lost'],
  ['Unknown', 'status:unknown,dropped,unmatched'],
];

const HIDE = '-type:stream_event';

export interface FilterBarProps {
  readonly engine: EngineClient;
  readonly progress: Progress | undefined;
  readonly onFilter: () => void;
}

/** The filter: a text field, and buttons for the most common filters. */
export function FilterBar({ engine, progress, onFilter }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string>();
  const apply = (next: string) => {
    setText(next);
    void engine.call('filter', next).then((error) => {
      setWrong(error?.message);
      onFilter();
    });
  };
  const rest = text.replace(/(^|\s)-type:stream_event(?=\s|$)/, '').trim();
  const isHiding = rest !== text.trim();
  const applyRest = (next: string, hides: boolean) => apply(hides ? `${next} ${HIDE}`.trim() : next);
  useKeys({ '/': () => input.current?.focus() });
  const { frames = 0, shown = 0, isFiltering = false } = progress ?? {};
  return (
    <div class="filter">
      <div class="field">
        <input
          ref={input}
          id="filter"
          type="search"
          aria-label="Filter"
          aria-invalid={wrong !== undefined}
          aria-describedby="filter-state"
          placeholder="Filter: type:control_request status:error duration:>500ms text   ( / )"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => apply(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') apply('');
            if (event.key === 'Escape' || event.key === 'Enter') document.getElementById('frames')?.focus();
          }}
        />
        <span id="filter-state" class={wrong === undefined ? 'count' : 'count trouble'} aria-live="polite">
          {wrong ??
            (text === ''
              ? `${countText(frames)} frames`
              : `${countText(shown)} of ${countText(frames)}${isFiltering ? '…' : ''}`)}
        </span>
      </div>
      <div class="shortcuts" role="group" aria-label="Filters">
        {SHORTCUTS.map(([name, filter]) => (
          <button
            key={name}
            type="button"
            aria-pressed={rest === filter}
            onClick={() => applyRest(rest === filter ? '' : filter, isHiding)}
          >
            {name}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={isHiding}
          onClick={() => applyRest(rest, !isHiding)}
          title="Hide the pieces of messages that are still being streamed"
        >
          Hide stream_event
        </button>
      </div>
    </div>
  );
}
