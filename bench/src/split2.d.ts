// split2 publishes no types; only what the benchmarks use.
declare module 'split2' {
  import type { Transform } from 'node:stream';
  export default function split2(): Transform;
}
