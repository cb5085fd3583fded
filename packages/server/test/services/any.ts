import { isJsonObject, type JsonObject } from '@millrace/core/json'
import type { Script } from './service.ts'

/** A service of nobody's protocol: lines of `{type, data}` in answer to `{input, history, session}`. */
export function anyScript(): Script {
  const sessions = new Map<unknown, number>()
  return async ({ body }, { raw, held }) => {
    const { input, answers, session = `talk-${sessions.size}` } = body
    raw.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const send = (type: string, data: object) => raw.write(`${JSON.stringify({ type, data })}\n`)
    const turns = sessions.get(session) ?? 0
    sessions.set(session, turns + 1)
    send('session', { id: session })
    if (Array.isArray(answers)) {
      send('text', { content: `It was ${String((answers[0] as JsonObject).state)}.` })
      return void send('done', {})
    }
    const text = isJsonObject(input) ? String(input.text) : ''
    if (text === 'ask') return void send('ask', { id: 'q-1', message: 'May I?' })
    if (text === 'fail') return void send('error', { message: 'The gauge is broken.' })
    if (text === 'wait') {
      send('text', { content: 'Waiting.' })
      return held()
    }
    send('text', { content: `<${turns === 0 ? 'none' : `session-${turns}`}> ${text}` })
    send('done', {})
  }
}
