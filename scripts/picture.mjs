// Draws docs/picture/layers.svg from docs/picture/layers.json: node scripts/picture.mjs. With --check it compares instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('../docs/picture/layers.json', import.meta.url);
const target = new URL('../docs/picture/layers.svg', import.meta.url);

const WIDTH = 760;
const MARGIN = 20;
const BOX = { width: 300, height: 78 };
const GAP = 38;
const FONT = 'ui-sans-serif, system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif';

// An image in a README has no access to the colours of the page, so the image itself queries the colour scheme.
const STYLE = `
    text { font-family: ${FONT}; font-size: 14px; fill: #1f2328; text-anchor: middle; }
    .title { font-size: 15px; font-weight: 600; }
    .note { font-size: 12.5px; fill: #59636e; }
    .box { fill: #ddf4ff; stroke: #0969da; stroke-width: 1.5; }
    .yours { fill: none; stroke-dasharray: 5 4; }
    .part { fill: #ffffff; stroke: #0969da; }
    .arrow { stroke: #59636e; stroke-width: 1.5; }
    .head { fill: #59636e; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .note { fill: #9198a1; }
      .box { fill: #121d2f; stroke: #4493f8; }
      .yours { fill: none; }
      .part { fill: #0d1117; stroke: #4493f8; }
      .arrow { stroke: #9198a1; }
      .head { fill: #9198a1; }
    }
  `;

/**
 * @typedef {{ title: string, lines: string[], kind?: string }} Box
 * @typedef {{ title: string, description: string, columns: Box[][], between: string[], base: { title: string, parts: string[] } }} Layers
 */

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @param {number} x @param {number} y @param {string} text @param {string} [kind] */
const words = (x, y, text, kind) =>
  `<text x="${x}" y="${y}"${kind === undefined ? '' : ` class="${kind}"`}>${escaped(text)}</text>`;

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} kind */
const rectangle = (x, y, width, height, kind) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" class="${kind}"/>`;

/** A line with a head at both ends. @param {number} x @param {number} y */
function arrow(x, y) {
  const [top, bottom] = [y + 4, y + GAP - 4];
  const heads = `M${x - 5} ${top + 8}L${x} ${top}L${x + 5} ${top + 8}ZM${x - 5} ${bottom - 8}L${x} ${bottom}L${x + 5} ${bottom - 8}Z`;
  return `<line x1="${x}" y1="${top + 6}" x2="${x}" y2="${bottom - 6}" class="arrow"/><path d="${heads}" class="head"/>`;
}

/** @param {Box} box @param {number} left @param {number} top */
function drawBox({ title, lines, kind }, left, top) {
  const center = left + BOX.width / 2;
  const first = top + (lines.length === 1 ? 34 : 26);
  return [
    rectangle(left, top, BOX.width, BOX.height, kind === undefined ? 'box' : `box ${kind}`),
    words(center, first, title, 'title'),
    ...lines.map((line, at) => words(center, first + 20 * (at + 1), line)),
  ];
}

/** @param {Layers['base']} base @param {number} top */
function drawBase({ title, parts }, top) {
  const inner = WIDTH - 2 * MARGIN - 24;
  const width = (inner - 12 * (parts.length - 1)) / parts.length;
  return [
    rectangle(MARGIN, top, WIDTH - 2 * MARGIN, 90, 'box'),
    words(WIDTH / 2, top + 26, title, 'title'),
    ...parts.flatMap((part, at) => {
      const left = MARGIN + 12 + at * (width + 12);
      return [rectangle(left, top + 40, width, 38, 'part'), words(left + width / 2, top + 64, part)];
    }),
  ];
}

/** Returns the picture as SVG. @param {Layers} layers */
function picture({ title, description, columns, between, base }) {
  const step = BOX.height + GAP;
  const shapes = columns.flatMap((column, side) => {
    const left = side === 0 ? MARGIN : WIDTH - MARGIN - BOX.width;
    return column.flatMap((box, row) => [
      ...drawBox(box, left, MARGIN + row * step),
      arrow(left + BOX.width / 2, MARGIN + row * step + BOX.height),
    ]);
  });
  const notes = between.map((text, row) =>
    words(WIDTH / 2, MARGIN + row * step + BOX.height + GAP / 2 + 4, text, 'note'),
  );
  const top = MARGIN + between.length * step;
  const height = top + 90 + MARGIN;
  const body = [...shapes, ...notes, ...drawBase(base, top)].map((shape) => `  ${shape}`).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">${escaped(title)}</title>
  <desc id="description">${escaped(description)}</desc>
  <style>${STYLE}</style>
${body}
</svg>
`;
}

const drawn = picture(JSON.parse(readFileSync(source, 'utf8')));
if (!process.argv.includes('--check')) writeFileSync(target, drawn);
else if (readFileSync(target, 'utf8') !== drawn) {
  console.error(`${fileURLToPath(target)} is not what its source says. Run: node scripts/picture.mjs`);
  process.exitCode = 1;
}
