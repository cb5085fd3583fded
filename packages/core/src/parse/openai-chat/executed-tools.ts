import { inputOf } from '../../data/tool-input.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type Fields, fieldsIn, wordsIn } from './raw.ts'
import { addSource } from './sources.ts'
import { closeBlock, type Out, type Speaker, startWaiting } from './speaker.ts'

/** Tools that Groq ran itself: first the call, then, under the same index, the call with its output. */
export function readExecutedTools(speaker: Speaker, tools: unknown, out: Out): void {
  for (const [place, tool] of fieldsIn(tools).entries()) {
    const key = String(tool.index ?? place)
    const run = speaker.executed.get(key) ?? start(speaker, key, tool, out)
    const output = outputOf(tool)
    if (!run.isDone && output !== undefined) {
      run.isDone = true
      out.push({ type: 'tool-output', callId: run.callId, status: 'ok', output })
    }
    const found = isJsonObject(tool.search_results) ? tool.search_results.results : undefined
    for (const { url, title, content } of fieldsIn(found))
      addSource(speaker, { url, title, snippet: content, callId: run.callId }, out)
  }
}

function start(speaker: Speaker, key: string, tool: Fields, out: Out): { readonly callId: string; isDone: boolean } {
  startWaiting(speaker, out)
  closeBlock(speaker, out)
  const { messageId } = speaker
  const callId = `${messageId}:executed-${key}`
  const name = wordsIn(tool.name) ?? wordsIn(tool.type) ?? 'tool'
  const given = tool.arguments
  const input = typeof given === 'string' ? inputOf(given) : { input: (given ?? {}) as Json }
  const server = wordsIn(tool.server_label)
  out.push(
    { type: 'tool-start', callId, name, runBy: 'provider', messageId, ...(server !== undefined && { server }) },
    { type: 'tool-input', callId, ...input },
  )
  const run = { callId, isDone: false }
  speaker.executed.set(key, run)
  return run
}

/** What a tool gave: its text, or, where there is more, all of it. */
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
