export { runShim } from './run-shim.ts';
export { failureOutput, ShimError, type ShimErrorCode } from './shim-error.ts';
export type { ShimOptions } from './shim-options.ts';
