import { isText, type Json, type JsonObject } from '../../json.ts'
import { type Call, callRows, type Prose, proseOf, type RawItem } from '../codex-exec/items.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'

/** The names that `codex exec` has for the types of items. */
const types: { readonly [type: string]: string } = {
  agentMessage: 'agent_message',
  plan: 'plan',
  commandExecution: 'command_execution',
  fileChange: 'file_change',
  mcpToolCall: 'mcp_tool_call',
  dynamicToolCall: 'mcp_tool_call',
  webSearch: 'web_search',
  collabAgentToolCall: 'collab_tool_call',
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The item as `codex exec` prints it: the same fields, in other letters. */
export function execItem(item: JsonObject): RawItem {
  const fields = Object.fromEntries(Object.entries(item).map(([name, value]) => [snakeCase(name), value]))
  const { type, tool } = item
  const result = item.contentItems === undefined ? item.result : { content: item.contentItems }
  return {
    ...fields,
    id: item.id as string,
    type: (isText(type) && Object.hasOwn(types, type) ? types[type] : (type as string)) ?? '',
    ...(isText(tool) && type === 'collabAgentToolCall' && { tool: snakeCase(tool) }),
    ...(item.success === false && { status: 'failed' }),
    ...(result !== undefined && { result: resultOf(result) }),
  } as RawItem
}

function resultOf(result: Json | undefined): Json {
  if (result === null || result === undefined) return null
  const { content, structuredContent } = objectIn(result)
  return { content: content ?? [], structured_content: structuredContent ?? null }
}

export const callOf = (item: RawItem, isLast: boolean): Call | undefined =>
  callRows.get(item.type ?? '')?.(item, isLast)

/** The texts of an item, each with the block that shows it. */
export interface ItemText {
  readonly blockId: string
  readonly prose: Prose
  readonly text: string
}

/** Undefined if the item is no text. Reasoning may have a summary, its own words, both, or neither. */
export function textsOf(item: JsonObject): readonly ItemText[] | undefined {
  const id = item.id as string
  if (item.type === 'reasoning') {
    return [
      { blockId: id, prose: SUMMARY, text: joined(item.summary) },
      { blockId: contentBlock(id), prose: THINKING, text: joined(item.content) },
    ]
  }
  if (item.type === 'userMessage') {
    return [{ blockId: id, prose: { kind: 'text' }, text: objectsIn(item.content).map(inputText).join('\n') }]
  }
  const prose = proseOf(types[item.type as string] ?? '', item.phase)
  return prose === undefined ? undefined : [{ blockId: id, prose, text: (item.text ?? '') as string }]
}

export const SUMMARY: Prose = { kind: 'reasoning', variant: 'summary' }
export const THINKING: Prose = { kind: 'reasoning', variant: 'thinking' }
export const contentBlock = (itemId: string) => `${itemId}:content`

const joined = (parts: Json | undefined) => (Array.isArray(parts) ? parts.filter(isText).join('\n\n') : '')

/** What a person has sent: text, or the name of something else. */
function inputText({ text, url, path, name }: JsonObject): string {
  return textIn(text) ?? textIn(path) ?? textIn(url) ?? textIn(name) ?? ''
}
