// Answers on stdin and stdout, and checks each whole request with its schema. Bundled with all its dependencies, like published agents.
import { createStdioTransport } from '@proto/transport-stdio';
import { serveChecked } from './rpc/ours-full-check.ts';

serveChecked(createStdioTransport({ input: process.stdin, output: process.stdout }));
