import type { ClientTool } from '@millrace/core/api'
import { isJsonObject, isText, type Json, type JsonObject } from '@millrace/core/json'

/**
 * The tools that a client offers, in either of the shapes that clients send: a list of tools with names, or an object of
 * tools by name. AI SDK clients send them among the fields of the body.
 */
export function clientToolsIn(client: JsonObject | undefined): readonly ClientTool[] {
  const body = isJsonObject(client?.body) ? client.body : {}
  const tools = [...namedTools(client?.tools), ...namedTools(body.tools)]
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
