import { useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../engine/engine.ts';
import type { SessionFigures, Throughput } from '../engine/session-figures.ts';
import { LANES } from '../engine/span-lanes.ts';
import type { EngineClient } from '../engine/worker.ts';
import { prepare } from './draw-timeline.ts';
import { bytesText, countText, durationText } from './formats.ts';
import { colorOf } from './theme.ts';

export interface FiguresViewProps {
  readonly engine: EngineClient;
  readonly progress: Progress;
  readonly kind: 'Latency' | 'Throughput';
  readonly onSelect: (index: number) => void;
}

const HEIGHT = 120;

/** Shows how long spans took, or how much was sent at which time, as a picture and as numbers. */
export function FiguresView({ engine, progress, kind, onSelect }: FiguresViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [figures, setFigures] = useState<SessionFigures>();
  const [theme, setTheme] = useState(0);
  // A live session changes all the time, but its statistics change slowly.
  const version = progress.isReading ? Math.floor(progress.frames / 50_000) : progress.frames;
  useEffect(() => void engine.call('figures').then(setFigures), [engine, version]);
  useEffect(() => {
    const redraw = () => setTheme((last) => last + 1);
    addEventListener('themechange', redraw);
    addEventListener('resize', redraw);
    return () => {
      removeEventListener('themechange', redraw);
      removeEventListener('resize', redraw);
    };
  }, []);
  useEffect(() => {
    const { current } = canvas;
    if (current === null || figures === undefined) return;
    const pen = prepare(current, current.clientWidth, HEIGHT);
    if (pen === null) return;
    if (kind === 'Latency') drawPoints(pen, figures, progress, current.clientWidth);
    else drawThroughput(pen, figures.throughput, current.clientWidth);
  }, [figures, kind, theme]);
  if (figures === undefined) return <p class="empty">Counting…</p>;
  const isEmpty = kind === 'Latency' && figures.latency.length === 0;
  return (
    <div class="figures">
      {isEmpty ? (
        <p class="empty">
          {progress.hasTimes ? 'No span has ended yet.' : 'The lines have no timestamps, so nothing can be measured.'}
        </p>
      ) : (
        <canvas ref={canvas} role="img" aria-label={`${kind} over the session`} style={{ height: `${HEIGHT}px` }} />
      )}
      {kind === 'Latency' && !isEmpty && <LatencyTable {...{ figures, onSelect }} />}
      {kind === 'Throughput' && <ThroughputText throughput={figures.throughput} hasTimes={progress.hasTimes} />}
    </div>
  );
}

function LatencyTable({
  figures,
  onSelect,
}: { readonly figures: SessionFigures } & Pick<FiguresViewProps, 'onSelect'>) {
  return (
    <table>
      <thead>
        <tr>
          {['', 'count', 'errors', 'median', '90 %', '99 %', 'slowest'].map((name) => (
            <th key={name} scope="col">
              {name || 'kind'}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {figures.latency.map(({ kind, count, errors, p50, p90, p99, max, slowest }) => (
          <tr key={kind}>
            <th scope="row">
              <span class={`dot dot-${kind}`} /> {kind}
            </th>
            <td>{countText(count)}</td>
            <td class={errors > 0 ? 'is-error' : ''}>{countText(errors)}</td>
            {[p50, p90, p99].map((ms, at) => (
              <td key={at}>{durationText(ms)}</td>
            ))}
            <td>
              <button type="button" class="link" onClick={() => onSelect(slowest)}>
                {durationText(max)}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ThroughputText({ throughput, hasTimes }: { readonly throughput: Throughput; readonly hasTimes: boolean }) {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const { frames, bytes, from, to } = throughput;
  const seconds = (to - from) / 1000;
  return (
    <p class="hint">
      <span class="of-host">host</span> {countText(sum(frames.host))} frames, {bytesText(sum(bytes.host))} ·{' '}
      <span class="of-agent">agent</span> {countText(sum(frames.agent))} frames, {bytesText(sum(bytes.agent))}
      {hasTimes &&
        seconds > 0 &&
        ` · ${((sum(frames.host) + sum(frames.agent)) / seconds).toFixed(1)} frames a second on average`}
    </p>
  );
}

/** Draws spans as points. One axis shows when a span began, and the other axis, which is logarithmic, how long it took. */
function drawPoints(
  pen: CanvasRenderingContext2D,
  { points }: SessionFigures,
  { start, end }: Progress,
  width: number,
): void {
  const most = Math.max(10, ...points.map(([, ms]) => ms));
  const y = (ms: number) => HEIGHT - 14 - (Math.log10(Math.max(ms, 0.1) * 10) / Math.log10(most * 10)) * (HEIGHT - 24);
  pen.fillStyle = colorOf('muted');
  pen.strokeStyle = colorOf('border');
  pen.beginPath();
  for (let ms = 0.1; ms <= most; ms *= 10) {
    pen.fillText(durationText(ms), 2, y(ms) - 2);
    pen.moveTo(0, y(ms) + 0.5);
    pen.lineTo(width, y(ms) + 0.5);
  }
  pen.stroke();
  for (const [place, ms, lane] of points) {
    pen.fillStyle = `color-mix(in srgb, ${colorOf(`bar-${LANES[lane] ?? 'turn'}`)} 65%, ${colorOf('text')})`;
    pen.beginPath();
    pen.arc(52 + ((place - start) / (end - start || 1)) * (width - 60), y(ms), 2.5, 0, 7);
    pen.fill();
  }
}

function drawThroughput(pen: CanvasRenderingContext2D, { frames }: Throughput, width: number): void {
  const most = Math.max(1, ...frames.host, ...frames.agent);
  const part = width / frames.host.length;
  const middle = HEIGHT / 2;
  for (let at = 0; at < frames.host.length; at++) {
    for (const [side, sign] of [
      ['host', -1],
      ['agent', 1],
    ] as const) {
      const count = frames[side][at] ?? 0;
      const high = count === 0 ? 0 : Math.max(1, (count / most) * (middle - 14));
      pen.fillStyle = colorOf(side);
      pen.fillRect(at * part, sign < 0 ? middle - high : middle + 1, Math.max(1, part - 1), high);
    }
  }
  pen.fillStyle = colorOf('muted');
  pen.fillText(`${countText(most)} frames`, 2, 10);
}
