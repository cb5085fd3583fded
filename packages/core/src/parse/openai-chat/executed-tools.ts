import { inputOf } from '../../data/tool-input.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type Fields, objectsIn, textIn } from './raw.ts'
import { addSource } from './sources.ts'
import { closeBlock, type Out, type Speaker, startWaitingCall } from './speaker.ts'

/** Tools that Groq ran itself: first the call, then, under the same index, the call with its output. */
export function readExecutedTools(speaker: Speaker, tools: unknown, out: Out): void {
  for (const [position, tool] of objectsIn(tools).entries()) {
    const key = String(tool.index ?? position)
    const execution = speaker.executed.get(key) ?? start(speaker, key, tool, out)
    const output = outputOf(tool)
    if (!execution.isDone && output !== undefined) {
      execution.isDone = true
      out.push({ type: 'tool-output', callId: execution.callId, status: 'ok', output })
    }
    const found = isJsonObject(tool.search_results) ? tool.search_results.results : undefined
    for (const { url, title, content } of objectsIn(found))
      addSource(speaker, { url, title, snippet: content, callId: execution.callId }, out)
  }
}

function start(speaker: Speaker, key: string, tool: Fields, out: Out): { readonly callId: string; isDone: boolean } {
  startWaitingCall(speaker, out)
  closeBlock(speaker, out)
  const { messageId } = speaker
  const callId = `${messageId}:executed-${key}`
  const name = textIn(tool.name) ?? textIn(tool.type) ?? 'tool'
  const rawArguments = tool.arguments
  const input = typeof rawArguments === 'string' ? inputOf(rawArguments) : { input: (rawArguments ?? {}) as Json }
  const server = textIn(tool.server_label)
  out.push(
    { type: 'tool-start', callId, name, runBy: 'provider', messageId, ...(server !== undefined && { server }) },
    { type: 'tool-input', callId, ...input },
  )
  const execution = { callId, isDone: false }
  speaker.executed.set(key, execution)
  return execution
}

/** The output of a tool: its text, or an object with all results if there are more. */
function outputOf({ output, code_results, browser_results }: Fields): Json | undefined {
  const more = {
    ...(isFilled(code_results) && { code_results }),
    ...(isFilled(browser_results) && { browser_results }),
  } as JsonObject
  const text = output as Json | undefined
  if (Object.keys(more).length === 0) return text === null ? undefined : text
  return { ...(text !== undefined && { output: text }), ...more }
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
