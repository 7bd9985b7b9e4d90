// Types of packages that publish no types: only the parts that the benchmarks use.
declare module 'split2' {
  import type { Transform } from 'node:stream';
  export default function split2(): Transform;
}
declare module 'ndjson' {
  import type { Transform } from 'node:stream';
  const ndjson: { parse(): Transform };
  export default ndjson;
}
declare module 'byline' {
  import type { Transform } from 'node:stream';
  const byline: { createStream(): Transform };
  export default byline;
}
