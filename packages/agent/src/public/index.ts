/** Agents and tools in code. */
export { callAgentTool } from '../call-agent.ts'
export { type CodeAgent, defineAgent } from '../define-agent.ts'
export type { AgentEvent, ToolEvent } from '../events.ts'
export { ExecutionContext, type NewFile } from '../execution-context.ts'
export { fromStream, type StreamAgent, type Streamed } from '../from-stream.ts'
export type { Memory, Named } from '../named.ts'
export type { InputSchema, JsonSchema } from '../schema/input-schema.ts'
export { defineTool, type Tool, type ToolResult } from '../tool.ts'
