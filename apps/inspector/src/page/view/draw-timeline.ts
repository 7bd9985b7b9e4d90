import type { Bar, Lane, SpanView } from '../engine/span-lanes.ts';
import { durationText, visible } from './formats.ts';
import { colorOf } from './theme.ts';

/** The width of the lane names, in pixels. */
export const LABEL_WIDTH = 78;
const AXIS_HEIGHT = 18;
const DENSITY_HEIGHT = 26;
const ROW = 14;
const LANE_GAP = 5;

/** The part of a timeline to draw, and how to draw it. */
export interface TimelinePicture {
  readonly view: SpanView;
  readonly width: number;
  readonly hasTimes: boolean;
  /** The position of the chosen frame. */
  readonly mark: number | undefined;
}

export function timelineHeight({ lanes }: SpanView): number {
  return AXIS_HEIGHT + DENSITY_HEIGHT + lanes.reduce((sum, lane) => sum + laneHeight(lane), 0) + 6;
}

function laneHeight({ rows }: Lane): number {
  return rows * ROW + LANE_GAP;
}

/** Draws a part of the timeline: the axis, the density of frames over time, and the spans in lanes. */
export function drawTimeline(canvas: HTMLCanvasElement, { view, width, hasTimes, mark }: TimelinePicture): void {
  const pen = prepare(canvas, width, timelineHeight(view));
  if (pen === null) return;
  const x = (place: number) => LABEL_WIDTH + ((place - view.from) / (view.to - view.from || 1)) * (width - LABEL_WIDTH);
  drawAxis(pen, { view, width, hasTimes, x });
  drawDensity(pen, view, width);
  let y = AXIS_HEIGHT + DENSITY_HEIGHT;
  for (const lane of view.lanes) {
    pen.fillStyle = colorOf('muted');
    pen.fillText(lane.kind, 6, y + 10);
    pen.save();
    pen.beginPath();
    pen.rect(LABEL_WIDTH, 0, width, y + laneHeight(lane));
    pen.clip();
    for (const bar of lane.bars) drawBar(pen, bar, { lane, y, x });
    pen.restore();
    y += laneHeight(lane);
  }
  if (mark === undefined || mark < view.from || mark > view.to) return;
  pen.fillStyle = colorOf('accent');
  pen.fillRect(Math.round(x(mark)), 0, 1.5, y);
}

/** Makes a canvas sharp on every screen, and empties it. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d');
  pen?.scale(scale, scale);
  if (pen !== null) pen.font = '11px system-ui, sans-serif';
  return pen;
}

interface Scale {
  readonly x: (place: number) => number;
}

function drawAxis(
  pen: CanvasRenderingContext2D,
  { view, width, hasTimes, x }: Omit<TimelinePicture, 'mark'> & Scale,
): void {
  const step = stepFor((view.to - view.from) / Math.max(1, (width - LABEL_WIDTH) / 90));
  pen.strokeStyle = colorOf('border');
  pen.fillStyle = colorOf('muted');
  pen.beginPath();
  for (let place = Math.ceil(view.from / step) * step; place <= view.to; place += step) {
    const at = Math.round(x(place)) + 0.5;
    pen.moveTo(at, AXIS_HEIGHT - 4);
    pen.lineTo(at, 10_000);
    const label = hasTimes ? (place === 0 ? '0' : durationText(place)) : `#${Math.round(place) + 1}`;
    // A label that does not fit would be cut off, and would look like a different number.
    if (at + 3 + pen.measureText(label).width <= width) pen.fillText(label, at + 3, 11);
  }
  pen.stroke();
}

/** Returns the smallest round number (1, 2 or 5 times a power of 10) that is not less than `least`. */
function stepFor(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-3)));
  return ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10) * power;
}

function drawDensity(pen: CanvasRenderingContext2D, { density }: SpanView, width: number): void {
  const { host, agent } = density;
  const most = Math.max(1, ...host, ...agent);
  const part = (width - LABEL_WIDTH) / host.length;
  const half = DENSITY_HEIGHT / 2 - 2;
  const middle = AXIS_HEIGHT + half + 1;
  pen.fillStyle = colorOf('muted');
  pen.fillText('frames', 6, middle + 4);
  // The square root keeps a single frame visible next to a position with many frames.
  const high = (count: number) => (count === 0 ? 0 : Math.max(1.5, Math.sqrt(count / most) * half));
  for (let at = 0; at < host.length; at++) {
    const left = LABEL_WIDTH + at * part;
    const [up, down] = [high(host[at] ?? 0), high(agent[at] ?? 0)];
    pen.fillStyle = colorOf('host');
    pen.fillRect(left, middle - up, Math.max(1, part - 0.5), up);
    pen.fillStyle = colorOf('agent');
    pen.fillRect(left, middle + 1, Math.max(1, part - 0.5), down);
  }
}

function drawBar(pen: CanvasRenderingContext2D, bar: Bar, { lane, y, x }: { lane: Lane; y: number } & Scale): void {
  const left = x(bar.from);
  const wide = Math.max(2, x(bar.to) - left);
  const top = y + bar.row * ROW;
  pen.fillStyle = colorOf(
    bar.status === 'error'
      ? 'bar-error'
      : bar.status === 'open'
        ? 'bar-open'
        : bar.status === 'cancelled'
          ? 'bar-cancelled'
          : `bar-${lane.kind}`,
  );
  pen.beginPath();
  pen.roundRect(left, top, wide, ROW - 2, Math.min(2, wide / 2));
  pen.fill();
  const seen = Math.max(left, LABEL_WIDTH);
  const room = left + wide - seen;
  if (room < 30) return;
  const text = bar.count > 1 ? `${visible(bar.name)} ×${bar.count}` : visible(bar.name);
  pen.fillStyle = colorOf('bar-text');
  pen.save();
  pen.beginPath();
  pen.rect(seen, top, room - 3, ROW);
  pen.clip();
  pen.fillText(text, seen + 4, top + 9.5);
  pen.restore();
}

/** The bar under the pointer. */
export function barAt(
  view: SpanView,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): Bar | undefined {
  const perPixel = (view.to - view.from) / Math.max(1, width - LABEL_WIDTH);
  const place = view.from + (x - LABEL_WIDTH) * perPixel;
  let top = AXIS_HEIGHT + DENSITY_HEIGHT;
  for (const lane of view.lanes) {
    if (y >= top && y < top + laneHeight(lane)) {
      const row = Math.floor((y - top) / ROW);
      return lane.bars.find(
        (bar) =>
          bar.row === row &&
          place >= bar.from - perPixel &&
          place <= Math.max(bar.to, bar.from + 2 * perPixel) + perPixel,
      );
    }
    top += laneHeight(lane);
  }
  return undefined;
}
