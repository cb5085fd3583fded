import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { type Answering, type Script, wordsOf } from './service.ts'

/** A server of AG-UI 1.0 that plays the script of `agentSuite`. It sends the conversation first, as servers with a state do. */
export function agUiScript(): Script {
  const threads = new Map<unknown, number>()
  return async ({ body }, answer) => {
    const { threadId, runId, resume } = body
    const messages = (body.messages ?? []) as readonly JsonObject[]
    const text = wordsOf(messages.findLast(({ role }) => role === 'user'))
    const { send } = answer
    send({ type: 'RUN_STARTED', threadId, runId, input: body })
    send({ type: 'MESSAGES_SNAPSHOT', messages })
    const end = (outcome: JsonObject = { type: 'success' }) => send({ type: 'RUN_FINISHED', threadId, runId, outcome })
    if (Array.isArray(resume)) return answered(answer, resume[0] as JsonObject, end)
    if (text === 'ask') {
      send({ type: 'TOOL_CALL_START', toolCallId: `call-${String(runId)}`, toolCallName: 'write_log' })
      send({ type: 'TOOL_CALL_ARGS', toolCallId: `call-${String(runId)}`, delta: '{"line":"Noon"}' })
      send({ type: 'TOOL_CALL_END', toolCallId: `call-${String(runId)}` })
      return end({
        type: 'interrupt',
        interrupts: [{ id: 'int-1', reason: 'tool_call', message: 'May I?', toolCallId: `call-${String(runId)}` }],
      })
    }
    if (text === 'fail') return send({ type: 'RUN_ERROR', message: 'The gauge is broken.', code: 'GAUGE' })
    if (text === 'wait') {
      say(send, 'm-wait', 'Waiting.')
      return answer.held()
    }
    const turns = threads.get(threadId) ?? 0
    threads.set(threadId, turns + 1)
    say(send, `m-${turns}`, `<${turns === 0 ? 'none' : `session-${turns}`}> ${text}`)
    end()
  }
}

function answered({ send }: Answering, resumption: JsonObject, end: () => void): void {
  const { payload } = resumption
  const isApproved = isJsonObject(payload) && payload.approved === true
  say(send, 'm-answer', `It was ${isApproved ? 'approved' : 'denied'}.`)
  end()
}

function say(send: Answering['send'], messageId: string, text: string): void {
  send({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
  for (const delta of [text.slice(0, 8), text.slice(8)]) send({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
  send({ type: 'TEXT_MESSAGE_END', messageId })
}
