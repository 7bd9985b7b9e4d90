// Reads requests from stdin, checks each whole request with its schema, and answers on stdout. The program is bundled with all its dependencies, as
// published agents are.
import { createStdioTransport } from '@proto/transport-stdio';
import { serveChecked } from './rpc/ours-full-check.ts';

serveChecked(createStdioTransport({ input: process.stdin, output: process.stdout }));
