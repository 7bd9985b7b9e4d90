import { useEffect, useState } from 'preact/hooks';
import type { FrameDetails as Details } from '../engine/engine.ts';
import type { RowSpan } from '../engine/frame-rows.ts';
import type { EngineClient } from '../engine/worker.ts';
import { Explanation } from './explanation.tsx';
import { bytesText, countText, durationText, timeText, visible } from './formats.ts';
import { sideClass, WAYS } from './frame-line.tsx';
import { JsonTree } from './json-tree.tsx';
import { useKeys } from './keys.ts';
import { RawText } from './raw-text.tsx';

export type DetailTab = 'tree' | 'raw' | 'explained';

export interface FrameDetailsProps {
  readonly engine: EngineClient;
  readonly index: number | undefined;
  readonly version: string;
  readonly tab: DetailTab;
  readonly onTab: (tab: DetailTab) => void;
  readonly onSelect: (index: number) => void;
  readonly onNotice: (text: string) => void;
}

const TABS: readonly (readonly [tab: DetailTab, name: string])[] = [
  ['tree', 'Tree'],
  ['raw', 'Raw'],
  ['explained', 'Explained'],
];

/** Shows one frame: as a tree, as it was sent, or explained with the descriptions from the schemas. */
export function FrameDetails({ engine, index, version, tab, onTab, onSelect, onNotice }: FrameDetailsProps) {
  const [details, setDetails] = useState<Details>();
  useEffect(() => {
    if (index === undefined) return setDetails(undefined);
    let isCurrent = true;
    engine.call('details', index).then(
      (found) => isCurrent && setDetails(found),
      (error: Error) => isCurrent && onNotice(`The frame cannot be read: ${error.message}`),
    );
    return () => {
      isCurrent = false;
    };
  }, [engine, index, version]);
  const copy = async (as: 'fixture' | 'case') => {
    if (index === undefined) return;
    try {
      await navigator.clipboard.writeText(await engine.call('copy', index, as));
      onNotice(
        as === 'fixture'
          ? 'Copied as protocol lines. They may contain secrets.'
          : 'Copied as a case for sjp conformance. It may contain secrets.',
      );
    } catch (error) {
      onNotice(`Nothing was copied: ${(error as Error).message}`);
    }
  };
  useKeys({ c: () => void copy('fixture') });
  if (details === undefined || index === undefined) {
    return (
      <div class="details">
        <p class="empty">Choose a frame to see its contents. Press ? for the keys.</p>
      </div>
    );
  }
  return (
    <div class="details">
      <DetailsHeader details={details} onSelect={onSelect} />
      <div class="row tabs">
        <div role="tablist" aria-label="Details" class="row">
          {TABS.map(([key, name]) => (
            <button
              key={key}
              id={`tab-${key}`}
              type="button"
              role="tab"
              aria-selected={tab === key}
              aria-controls="detail"
              onClick={() => onTab(key)}
            >
              {name}
            </button>
          ))}
        </div>
        <span class="grow" />
        <button
          type="button"
          onClick={() => void copy('fixture')}
          title="Copy this frame and its partner as protocol lines (c)"
        >
          Copy as fixture
        </button>
        <button
          type="button"
          onClick={() => void copy('case')}
          title="Copy this frame and its partner as a case for sjp conformance"
        >
          Copy as case
        </button>
      </div>
      <div id="detail" class="detail" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'tree' && (
          <JsonTree
            key={details.row.index}
            {...{ engine, index: details.row.index }}
            root={details.root}
            isMessage={details.isMessage}
            onRaw={() => onTab('raw')}
          />
        )}
        {tab === 'raw' && <RawText key={index} {...{ engine, index }} length={details.length} />}
        {tab === 'explained' && <Explanation key={index} {...{ engine, index }} />}
      </div>
    </div>
  );
}

function DetailsHeader({
  details,
  onSelect,
}: {
  readonly details: Details;
  readonly onSelect: (index: number) => void;
}) {
  const { row, issues } = details;
  return (
    <header class="details-header">
      <div class="row">
        <span class="number">#{countText(row.index + 1)}</span>
        <h2 class={sideClass(row.dir)}>{visible(row.name)}</h2>
        <span class="hint">
          {WAYS[row.dir ?? 'none']} · {row.time === undefined ? 'no time' : timeText(row.time)} · {bytesText(row.bytes)}
        </span>
        {row.check !== 'known' && (
          <span class={`flag ${row.check === 'invalid' ? 'is-error' : 'is-warning'}`}>{CHECKS[row.check]}</span>
        )}
        {row.unmatched && <span class="flag is-warning">does not answer any open request</span>}
      </div>
      {row.spans.length > 0 && (
        <ul class="spans">
          {row.spans.map((span) => (
            <li key={`${span.index}`}>
              <SpanText span={span} />
              {span.partner !== undefined && (
                <button
                  type="button"
                  class="link"
                  onClick={() => onSelect(span.partner as number)}
                  title="Go to the other end of the span (p)"
                >
                  {span.begins ? '⟶' : '⟵'} frame {span.partner + 1}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {issues.map((issue) => (
        <p key={issue} class="trouble">
          {visible(issue)}
        </p>
      ))}
    </header>
  );
}

const CHECKS = {
  known: '',
  dropped: 'has invalid optional members',
  unknown: 'no schema describes this kind',
  invalid: 'invalid',
} as const;

function SpanText({ span }: { readonly span: RowSpan }) {
  const { kind, name, status, outcome, durationMs, begins } = span;
  return (
    <span>
      {begins ? 'begins' : 'ends'} {kind} <b>{visible(name)}</b>{' '}
      <span class={outcome === 'deny' ? 'is-warning' : `is-${status}`}>{visible(outcome) || status}</span>
      {durationMs !== undefined && ` after ${durationText(durationMs)}`}{' '}
    </span>
  );
}
