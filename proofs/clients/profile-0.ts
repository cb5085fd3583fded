import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@millrace/core/json'
import { agUi } from '@millrace/core/wire/ag-ui'
import { type Content, contentOf } from '@millrace/testkit/content'
import type { Recorded } from './recorded.ts'

/**
 * What a client of AG-UI before 1.0 must end with: the text of a subagent is a thought, and some of these clients keep no
 * metadata, which says whether a result is text or JSON. So thoughts are compared in any order, and values as JSON.
 */
export function expectedInProfile0(recorded: Recorded): Content {
  const { entries } = recorded
  const all = contentOf(entries, agUi.losses)
  const main = contentOf(entries, { ...agUi.losses, 'subagent-content': 'It is a thought.' })
  const left = [...main.texts]
  const ofSubagents = all.texts.filter((text) => {
    const at = left.indexOf(text)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  const unexpressed = unexpressedInputs(recorded)
  const tools = all.tools.map(({ input, ...tool }) =>
    input === undefined || unexpressed.has(JSON.stringify(input)) ? tool : { ...tool, input },
  )
  return inProfile0({ texts: main.texts, reasonings: [...all.reasonings, ...ofSubagents], tools })
}

/** Inputs that are not what was streamed of them, or no JSON: only metadata says so, and some of the clients keep none. */
function unexpressedInputs({ entries }: Recorded): ReadonlySet<string> {
  const streamed = new Map<string, string>()
  const unexpressed = new Set<string>()
  for (const { event } of entries) {
    if (event.type === 'tool-input-delta') streamed.set(event.callId, (streamed.get(event.callId) ?? '') + event.text)
    if (event.type !== 'tool-input' || event.input === undefined) continue
    const text = streamed.get(event.callId)
    const read = text === undefined ? event.input : jsonOf(text)
    if (typeof read === 'string' || !isDeepStrictEqual(read, event.input)) unexpressed.add(JSON.stringify(event.input))
  }
  return unexpressed
}

/** Content without what such a client cannot tell. */
export function inProfile0({ texts, reasonings, tools }: Content): Content {
  const isWritten = (text: string) => text !== ''
  return {
    texts: texts.filter(isWritten),
    reasonings: reasonings.filter(isWritten).toSorted(),
    tools: tools.map(({ name, input, output }) => ({
      name,
      ...(input !== undefined && { input: jsonOf(input) }),
      ...(output !== undefined && { output: jsonOf(output) }),
    })),
  }
}

function jsonOf(value: Json): Json {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}
