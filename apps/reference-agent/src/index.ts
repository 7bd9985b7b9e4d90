export { createReferenceAgent, type ReferenceAgent } from './reference-agent.ts';
export type { ReferenceAgentOptions } from './reference-agent-options.ts';
export { createMemoryTools } from './tools/memory.ts';
export type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
