export { createReferenceAgent, type ReferenceAgent, runTurn } from './reference-agent.ts';
export type { ReferenceAgentOptions } from './session.ts';
export { createMemoryTools } from './tools/memory.ts';
export type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
