// Answers on stdin and stdout, and checks the whole of each request by its schema. Bundled with all it loads, as published agents are.
import { createStdioTransport } from '@proto/transport-stdio';
import { serveChecked } from './rpc/ours-full-check.ts';

serveChecked(createStdioTransport({ input: process.stdin, output: process.stdout }));
