/** Programs as agents: from a folder, from a command, or found on this machine. */
export { commandSpec } from '../agents/agent-file.ts'
export { type AgentFolder, createAgentFolder, hasAgentFolder } from '../agents/agent-folder.ts'
export { createModels } from '../agents/models.ts'
export { createPresets, presetSpec, threadsIn } from '../agents/presets.ts'
export { createProcessAgent, type ProcessOptions } from '../agents/process-agent.ts'
export type { ProcessSpec } from '../agents/spec.ts'
export { splitCommand } from '../agents/split-command.ts'
export { createWorkshop, type WorkshopOptions } from '../agents/workshop.ts'
