// Bundles the Worker as for a deployment, checks that the bundle contains no Node modules, and runs the bundle where only web standards exist, with
// an HTTP server in front.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { builtinModules } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';

/** Bundles for a Worker. The build fails if a module imports a Node builtin, and no import may remain in the bundle. */
async function bundle() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: ['worker.mjs'],
    bundle: true,
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2022',
    format: 'iife',
    globalName: 'worker',
    metafile: true,
    write: false,
  });
  const files = Object.entries(metafile.inputs);
  assert.ok(
    files.every(([path]) => path === 'worker.mjs' || path.includes('core/dist/framing/')),
    Object.keys(metafile.inputs).join(),
  );
  const imports = files.flatMap(([, file]) => file.imports.map(({ path }) => path));
  assert.deepEqual(
    imports.filter((path) => path.startsWith('node:') || builtinModules.includes(path)),
    [],
  );
  assert.deepEqual(Object.values(metafile.outputs)[0].imports, []);
  return outputFiles[0].text;
}

/** Runs the bundle in a context that has only the web globals that the Worker needs, and no globals of Node. */
function run(code) {
  const context = createContext({ Request, Response, TextDecoder, TextEncoder, TransformStream, URL });
  const isThere = (name) => new Script(`typeof ${name} !== 'undefined'`).runInContext(context);
  assert.deepEqual(['process', 'Buffer', 'require', 'global', 'setImmediate'].filter(isThere), []);
  new Script(code).runInContext(context);
  return new Script('worker.default').runInContext(context);
}

/** Serves a Worker over HTTP. */
async function serve(worker, env) {
  async function answer(incoming, outgoing) {
    const { method, headers, url } = incoming;
    const body = method === 'POST' ? Readable.toWeb(incoming) : null;
    const request = new Request(`http://worker${url}`, { method, headers, body, duplex: 'half' });
    const response = await worker.fetch(request, env);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    await pipeline(response.body ?? [], outgoing);
  }
  const server = createServer((incoming, outgoing) => {
    // A client that leaves early ends the pipeline with an error.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function* bytewise(text) {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
}

const worker = run(await bundle());
const server = await serve(worker, { MAX_LINE_BYTES: '100', MAX_BODY_BYTES: '100000' });
const url = `http://127.0.0.1:${server.address().port}`;
const ndjson = { 'content-type': 'application/x-ndjson' };
async function post(body, headers = ndjson) {
  const response = await fetch(`${url}/lines`, { method: 'POST', body, headers, duplex: 'half' });
  const text = await response.text();
  return {
    status: response.status,
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

try {
  const { status, lines } = await post(
    `{"type":"ü"}\r\n\nno JSON\n[]\n{"type":"${'x'.repeat(5000)}"}\n{"type":"last"}`,
  );
  assert.equal(status, 200);
  assert.deepEqual(lines, [
    { line: 1, type: 'ü' },
    { line: 2, error: 'not-json' },
    { line: 3, error: 'not-an-object' },
    { line: 4, error: 'line-too-large', bytes: 5011, limit: 100 },
    { line: 5, type: 'last' },
  ]);
  const pieces = await post(ReadableStream.from(bytewise('{"type":"ü 😀"}\n{"type":"two"}\n')));
  assert.deepEqual(
    pieces.lines.map(({ type }) => type),
    ['ü 😀', 'two'],
  );

  const announced = await post('x'.repeat(100_001));
  assert.deepEqual([announced.status, announced.lines[0].error], [413, 'body-too-large']);
  // Without an announced size the body is counted as it arrives.
  const counted = await post(ReadableStream.from([new Uint8Array(60_000), new Uint8Array(60_000)]));
  assert.deepEqual([counted.status, counted.lines], [200, [{ line: 1, error: 'body-too-large', limit: 100_000 }]]);
  assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
  assert.deepEqual([(await fetch(`${url}/lines`)).status, (await fetch(`${url}/other`)).status], [405, 404]);

  // Back pressure: while nobody reads the answer, the Worker takes a few pieces of an endless body and no more.
  let taken = 0;
  const endless = new ReadableStream({
    pull(controller) {
      assert.ok(++taken < 100, 'the Worker reads before its client');
      controller.enqueue(new TextEncoder().encode('{"type":"more"}\n'));
    },
  });
  const request = new Request(`${url}/lines`, { method: 'POST', headers: ndjson, body: endless, duplex: 'half' });
  const reader = (await worker.fetch(request, {})).body.getReader();
  await reader.read();
  // Everything that the streams do without further reads happens in microtasks, before the next turn of the event loop.
  await new Promise(setImmediate);
  assert.ok(taken > 0 && taken < 10, `${taken} pieces`);
  await reader.cancel();
} finally {
  server.closeAllConnections();
  server.close();
}
console.log('framer-in-worker: bundled without Node, run with web standards only, limits kept, back pressure');
