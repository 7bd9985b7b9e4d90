export { runShim } from './run-shim.ts';
export { ShimError, type ShimErrorCode } from './shim-error.ts';
export type { ShimOptions, SignalSource } from './shim-options.ts';
