// Serves on 127.0.0.1: node serve.mjs [PORT]
import { serve } from '@hono/node-server';
import { createService } from './service.mjs';

const port = Number(process.argv[2] ?? 8080);
serve({ fetch: createService().fetch, hostname: '127.0.0.1', port }, () => {
  console.log(`POST NDJSON to http://127.0.0.1:${port}/lines`);
});
