import { appendToViewer } from './append-to-viewer.ts';
import { backPressure } from './back-pressure.ts';
import { bundleSize } from './bundle-size.ts';
import { coldStart, moduleListGate } from './cold-start.ts';
import { e2eStdio } from './e2e-stdio.ts';
import { e2eWs } from './e2e-ws.ts';
import { firstResponse } from './first-response.ts';
import { bigLineGate, framerBigline } from './framer-bigline.ts';
import { framer1gb, framer1gbGate } from './framer-1gb.ts';
import { framerBorders } from './framer-borders.ts';
import { framerGrid } from './framer-grid.ts';
import { framerPeers } from './framer-peers.ts';
import { framerRuntimes } from './framer-runtimes.ts';
import { framerUnicode } from './framer-unicode.ts';
import { heldLoop } from './held-loop.ts';
import { hostLoop } from './host-loop.ts';
import { ingressPosts } from './ingress-posts.ts';
import { ingressReplay } from './ingress-replay.ts';
import { largeMessages } from './large-messages.ts';
import { oddInput } from './odd-input.ts';
import { idleSessions, idleSessionsGate } from './idle-sessions.ts';
import { idleSockets } from './idle-sockets.ts';
import { queue } from './queue.ts';
import { queueGate } from './queue-growth.ts';
import { queueMemory, queueMemoryGate } from './queue-memory.ts';
import { rpcMemory } from './rpc-memory.ts';
import { rpcSsePost } from './rpc-sse-post.ts';
import { rpcStdio } from './rpc-stdio.ts';
import { rpcWs } from './rpc-ws.ts';
import { runSuites } from './run-suites.ts';
import { sessionView } from './session-view.ts';
import { severalNodes } from './several-nodes.ts';
import { stalledViewer } from './stalled-viewer.ts';
import { stdoutWriter } from './stdout-writer.ts';
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
    'framer-runtimes': framerRuntimes,
    'framer-borders': framerBorders,
    stringify,
    validate,
    'validate-cold': validateCold,
    queue,
    'queue-memory': queueMemory,
    'stdout-writer': stdoutWriter,
    'e2e-stdio': e2eStdio,
    'e2e-ws': e2eWs,
    'back-pressure': backPressure,
    'rpc-memory': rpcMemory,
    'rpc-stdio': rpcStdio,
    'rpc-ws': rpcWs,
    'rpc-sse-post': rpcSsePost,
    'large-messages': largeMessages,
    'host-loop': hostLoop,
    'cold-start': coldStart,
    'first-response': firstResponse,
    'idle-sessions': idleSessions,
    'idle-sockets': idleSockets,
    'stalled-viewer': stalledViewer,
    'ingress-posts': ingressPosts,
    'ingress-replay': ingressReplay,
    'held-loop': heldLoop,
    'append-to-viewer': appendToViewer,
    'several-nodes': severalNodes,
    'bundle-size': bundleSize,
    // Imported on demand, because this module looks for a browser when it is loaded, and no other suite needs a browser.
    'inspector-page': async () => (await import('./inspector-page.ts')).inspectorPage(),
    'odd-input': oddInput,
    'session-view': sessionView,
  },
  // The rows that are steady enough to fail CI; the suites contain these rows too.
  {
    'big-line': bigLineGate,
    '1gb': framer1gbGate,
    queue: queueGate,
    'queue-memory': queueMemoryGate,
    'idle-sessions': idleSessionsGate,
    'module-list': moduleListGate,
  },
  process.argv.slice(2),
);
