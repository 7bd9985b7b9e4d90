import { bigLineGate, framerBigline } from './framer-bigline.ts';
import { framer1gb, framer1gbGate } from './framer-1gb.ts';
import { framerGrid } from './framer-grid.ts';
import { framerPeers } from './framer-peers.ts';
import { framerUnicode } from './framer-unicode.ts';
import { queue, queueGate } from './queue.ts';
import { queueMemory, queueMemoryGate } from './queue-memory.ts';
import { runSuites } from './run-suites.ts';
import { stringify } from './stringify.ts';
import { validate } from './validate.ts';
import { validateCold } from './validate-cold.ts';

await runSuites(
  {
    'framer-grid': framerGrid,
    'framer-peers': framerPeers,
    'framer-bigline': framerBigline,
    'framer-unicode': framerUnicode,
    'framer-1gb': framer1gb,
    stringify,
    validate,
    'validate-cold': validateCold,
    queue,
    'queue-memory': queueMemory,
  },
  // What is steady enough to fail CI; the suites have these rows too.
  {
    'big-line': bigLineGate,
    '1gb': framer1gbGate,
    queue: queueGate,
    'queue-memory': queueMemoryGate,
  },
  process.argv.slice(2),
);
