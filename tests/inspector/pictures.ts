/** Makes the pictures of docs/inspector.md and docs/cassettes.md in the given folder. scripts/inspector-pictures.mjs runs this program. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT, createFolder, inspect, InspectorPage } from './inspector-page.test-support.ts';
import { sampleRecording } from './sample-recording.test-support.ts';

const SIZE = { width: 1280, height: 760, deviceScaleFactor: 1, mobile: false };
const AGENT_FLAGS = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

/** A recording whose permission is explained, in the light theme. */
async function explained(page: InspectorPage, folder: ReturnType<typeof createFolder>): Promise<Buffer> {
  await using command = await inspect([folder.write('fix-the-parser.jsonl', sampleRecording(40))], folder.path);
  await page.goto(command.link);
  await page.sees('.frame');
  await page.fill('#filter', '-type:stream_event');
  await page.sees('#filter-state', 'of');
  await page.click('.frame', 'can_use_tool');
  await page.click('[role=tab]', 'Explained');
  await page.sees('.explained', 'Asks whether the agent may call a tool.');
  // The picture is taken before the command ends, because the page shows its end.
  const picture = await page.picture();
  return picture;
}

/** A live session with a permission that waits, in the dark theme. */
async function waiting(page: InspectorPage, folder: ReturnType<typeof createFolder>): Promise<Buffer> {
  const flags = [...AGENT_FLAGS, '--permission-prompt-tool', 'stdio'];
  const program = folder.write('sjp-agent', `#!${process.execPath}\nimport(${JSON.stringify(AGENT)});\n`);
  chmodSync(program, 0o700);
  await using command = await inspect(['--', program, ...flags], folder.path);
  const say = (message: object) => command.child.stdin?.write(`${JSON.stringify(message)}\n`);
  const prompt = (content: string) => say({ type: 'user', message: { role: 'user', content } });
  say({ type: 'control_request', request_id: 'initialize-1', request: { subtype: 'initialize' } });
  prompt('Which tests fail?');
  await page.goto(command.link);
  await page.sees('.frame', 'result/success');
  prompt('/bash npm test');
  await page.sees('.waiting .card', 'Bash');
  await page.click('.frame', 'can_use_tool');
  await page.click('[role=tab]', 'Tree');
  await page.sees('.tree .leaf', 'npm test');
  // The picture is taken before the command ends, because the page shows its end.
  const picture = await page.picture();
  return picture;
}

/** A cassette of the native agent with both of its seams, in the light theme. */
async function cassette(page: InspectorPage, folder: ReturnType<typeof createFolder>): Promise<Buffer> {
  const kept = new URL('../../packages/testkit/testdata/native-agent.cassette.jsonl', import.meta.url);
  await using command = await inspect([folder.write('make-a-file.jsonl', readFileSync(kept, 'utf8'))], folder.path);
  await page.goto(command.link);
  await page.sees('.frame');
  await page.fill('#filter', '-type:stream_event -type:api/event');
  await page.sees('#filter-state', 'of');
  await page.click('.frame', 'can_use_tool');
  await page.click('[role=tab]', 'Tree');
  await page.sees('.tree .leaf', 'can_use_tool');
  // The picture is taken before the command ends, because the page shows its end.
  const picture = await page.picture();
  return picture;
}

const [target = '.'] = process.argv.slice(2);
using folder = createFolder();
await using page = await InspectorPage.open('about:blank');
await page.page.send('Emulation.setDeviceMetricsOverride', SIZE);
for (const [name, theme, draw] of [
  ['inspector-explained', 'light', explained],
  ['inspector-waiting', 'dark', waiting],
  ['cassette', 'light', cassette],
] as const) {
  await page.page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
  writeFileSync(join(target, `${name}.webp`), await draw(page, folder));
}
