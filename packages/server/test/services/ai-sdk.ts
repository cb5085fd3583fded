import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { type Answering, type Script, wordsOf } from './service.ts'

/** A route of the AI SDK that plays the script of `agentSuite`. */
export function aiSdkScript(): Script {
  const chats = new Map<unknown, number>()
  return async ({ body }, answer) => {
    const { id } = body
    const messages = (body.messages ?? []) as readonly JsonObject[]
    const last = messages.at(-1) ?? {}
    const turns = chats.get(id) ?? 0
    if (last.role === 'assistant') {
      const part = (last.parts as readonly JsonObject[]).find(({ state }) => state === 'approval-responded')
      const isApproved = isJsonObject(part?.approval) && part.approval.approved === true
      answer.send({ type: 'start', messageId: last.id })
      if (isApproved) answer.send({ type: 'tool-output-available', toolCallId: part?.toolCallId, output: 'Written.' })
      else answer.send({ type: 'tool-output-denied', toolCallId: part?.toolCallId })
      return say(answer, `It was ${isApproved ? 'approved' : 'denied'}.`)
    }
    const text = wordsOf(messages.findLast(({ role }) => role === 'user'))
    answer.send({ type: 'start', messageId: `m-${turns}` })
    chats.set(id, turns + 1)
    if (text === 'ask') {
      answer.send({
        type: 'tool-input-available',
        toolCallId: 'call-1',
        toolName: 'write_log',
        input: { line: 'Noon' },
      })
      answer.send({ type: 'tool-approval-request', approvalId: 'approval-a', toolCallId: 'call-1' })
      return answer.send({ type: 'finish', finishReason: 'tool-calls' })
    }
    if (text === 'fail') return answer.send({ type: 'error', errorText: 'The gauge is broken.' })
    if (text !== 'wait') return say(answer, `<${turns === 0 ? 'none' : `session-${turns}`}> ${text}`)
    answer.send({ type: 'text-start', id: 't' })
    answer.send({ type: 'text-delta', id: 't', delta: 'Waiting.' })
    await answer.held()
  }
}

function say({ send, raw }: Answering, text: string): void {
  send({ type: 'text-start', id: 't' })
  for (const delta of [text.slice(0, 8), text.slice(8)]) send({ type: 'text-delta', id: 't', delta })
  send({ type: 'text-end', id: 't' })
  send({ type: 'finish', finishReason: 'stop' })
  raw.write('data: [DONE]\n\n')
}
