export type { DemoProcess } from './demo-ingress.ts';
export { type DemoOptions, runDemo } from './run-demo.ts';
export type { LegReport } from './tally.ts';
