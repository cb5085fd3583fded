import { isJsonObject, isText, type Json } from '../json.ts'

/** A tool that the client runs: the agent may call it, and the run ends with the call open. */
export interface ClientTool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of its input. */
  readonly parameters?: Json
}

/**
 * The tools that a client offers, in either of the shapes that clients send: a list of tools with names, or an object of
 * tools by name. AI SDK clients send them among the fields of the body.
 */
export function clientToolsIn(client: Json | undefined): readonly ClientTool[] {
  const { tools: own, body } = isJsonObject(client) ? client : {}
  const tools = [...namedTools(own), ...namedTools(isJsonObject(body) ? body.tools : undefined)]
  // Of several tools with one name, the last counts.
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()]
}

function namedTools(tools: Json | undefined): readonly ClientTool[] {
  if (Array.isArray(tools)) return tools.flatMap((tool) => toolOf(tool, isJsonObject(tool) ? tool.name : undefined))
  return isJsonObject(tools) ? Object.entries(tools).flatMap(([name, tool]) => toolOf(tool, name)) : []
}

function toolOf(tool: Json, name: Json | undefined): readonly ClientTool[] {
  if (!isJsonObject(tool) || !isText(name) || name === '') return []
  const { description, parameters } = tool
  return [{ name, ...(isText(description) && { description }), ...(parameters !== undefined && { parameters }) }]
}
