/** A row on the first page of the figures. */
export interface Headline {
  readonly id: string;
  /** The name of the case, or a pattern if the name contains the fastest package. */
  readonly case: string | RegExp;
  /** The suite that measures the row. */
  readonly suite: string;
  /** The label of its bar. */
  readonly label: string;
  /** One sentence that says what the row means for a user. */
  readonly meaning: string;
  /** True if the value says how many times better ours is. Otherwise the value is our cost relative to the base. */
  readonly isGain?: boolean;
}

/** Our programs compared with other packages that do the same work. */
export const COMPARED_PACKAGES: readonly Headline[] = [
  {
    id: 'F2',
    case: 'mean of ASCII cells',
    suite: 'framer-peers',
    label: 'Split and parse lines',
    meaning:
      'CPU time to turn bytes into messages, compared with the fastest package for each size of lines and chunks.',
    isGain: true,
  },
  {
    id: 'F3',
    case: '10MB, compared with split2',
    suite: 'framer-bigline',
    label: 'One line of 10 MB',
    meaning:
      'A picture or a large file in one line takes time in proportion to its size, and not to the square of its size.',
    isGain: true,
  },
  {
    id: 'R5',
    case: '1KB',
    suite: 'host-loop',
    label: 'A whole host for one agent',
    meaning:
      'CPU time for each message in a host with sessions, checks and requests, compared with a bare loop over `readline`.',
  },
  {
    id: 'W2',
    case: '250B, compared with @agentclientprotocol/sdk',
    suite: 'e2e-stdio',
    label: 'Messages from an agent process',
    meaning: 'Small messages, such as parts of a text that the model writes, are passed to a callback in the host.',
    isGain: true,
  },
  {
    id: 'R1',
    case: 'ours, 100 at a time, compared with birpc',
    suite: 'rpc-memory',
    label: 'Requests in memory',
    meaning: 'A request and its answer inside one process. The row shows the cost of the map of pending requests.',
    isGain: true,
  },
  {
    id: 'R2',
    case: /^ours, 100 at a time, compared with (?!raw)/,
    suite: 'rpc-stdio',
    label: 'Requests to a child process',
    meaning: 'Permission prompts, hooks and calls to MCP tools are such requests.',
    isGain: true,
  },
  {
    id: 'R3',
    case: 'ours, coalesced, 100 at a time, compared with capnweb',
    suite: 'rpc-ws',
    label: 'Requests over a WebSocket',
    meaning: 'The same requests over a WebSocket, as used between two machines.',
    isGain: true,
  },
  {
    id: 'R4',
    case: 'ours, 100 at a time, compared with @modelcontextprotocol/sdk, SSE',
    suite: 'rpc-sse-post',
    label: 'Requests by POST, answers by SSE',
    meaning: 'The same requests over plain HTTP, which also works through proxies that block WebSockets.',
    isGain: true,
  },
  {
    id: 'M1',
    case: '250B, ours, peak',
    suite: 'queue-memory',
    label: 'Memory of 100 000 waiting messages',
    meaning: 'The peak memory while a reader is slow, compared with an array of the same messages.',
  },
  {
    id: 'C2',
    case: 'sjp-agent, compared with @agentclientprotocol/sdk',
    suite: 'first-response',
    label: 'Start of an agent',
    meaning:
      'Time from the start of the process to its first answer. `sjp-agent` reads flags and settings; the other program is an empty server.',
  },
];

/** Our programs compared with a program that does only the unavoidable work. */
export const COMPARED_LIMITS: readonly Headline[] = [
  {
    id: 'F1',
    case: '1KB/64KB',
    suite: 'framer-grid',
    label: 'Split and parse lines',
    meaning:
      'The limit decodes and parses lines that are already split. Ours is below 1, because it decodes many lines at once.',
    isGain: true,
  },
  {
    id: 'S1',
    case: '1KB',
    suite: 'stringify',
    label: 'Encode a line',
    meaning: 'The limit is `JSON.stringify`.',
    isGain: true,
  },
  {
    id: 'W1',
    case: '250B, compared with JSON.stringify and raw bytes',
    suite: 'stdout-writer',
    label: 'Write to stdout',
    meaning: 'The limit writes the same bytes in the largest pieces.',
  },
  {
    id: 'R1',
    case: 'ours, one at a time',
    suite: 'rpc-memory',
    label: 'A request in memory',
    meaning: 'The limit encodes and parses the two lines of a request and its answer.',
  },
  {
    id: 'R2',
    case: 'ours, one at a time',
    suite: 'rpc-stdio',
    label: 'A request to a child process',
    meaning: 'The limit sends the same bytes to a process that sends them back.',
  },
  {
    id: 'R4',
    case: 'ours, one at a time',
    suite: 'rpc-sse-post',
    label: 'A request by POST, the answer by SSE',
    meaning: 'The limit is a bare POST with `undici` and a bare event stream.',
  },
  {
    id: 'M2',
    case: '1000 SSE, heap',
    suite: 'idle-sessions',
    label: 'Memory of an idle event stream',
    meaning: 'The limit is an open response of bare `node:http`.',
  },
  {
    id: 'I1',
    case: 'a POST of one event, memory, of a worker',
    suite: 'ingress-posts',
    label: 'A POST of one event to the server',
    meaning:
      'The limit is a `node:http` server that reads the body and answers. Ours also checks the token, the address and the event, and stores and forwards the event.',
  },
  {
    id: 'C2',
    case: 'sjp-agent, compared with echo',
    suite: 'first-response',
    label: 'Start of an agent',
    meaning: 'The limit is a Node process that echoes one line and loads no module.',
  },
];

/** The suites that measure the rows of the first page. */
export const HEADLINE_SUITES: readonly string[] = [
  ...new Set([...COMPARED_PACKAGES, ...COMPARED_LIMITS].map(({ suite }) => suite)),
];
