import type { JsonObject } from '@millrace/core/json'
import { type Script, wordsOf } from './service.ts'

/** An agent of A2A that plays the script of `agentSuite`; `isOlder` speaks 0.3 alone. */
export function a2aScript(isOlder = false): Script {
  const contexts = new Map<string, number>()
  const waiting = new Map<string, () => void>()
  let tasks = 0
  const spell = (state: string) => (isOlder ? state : `TASK_STATE_${state.replace('-', '_').toUpperCase()}`)

  return async ({ body }, answer) => {
    const { id, method } = body
    const params = body.params as JsonObject
    const reply = (result: unknown) => answer.send({ jsonrpc: '2.0', id, result })
    if (method !== (isOlder ? 'message/stream' : 'SendStreamingMessage')) {
      if (method === (isOlder ? 'tasks/cancel' : 'CancelTask')) {
        waiting.get(String(params.id))?.()
        return answer.json({ jsonrpc: '2.0', id, result: { id: params.id } })
      }
      return answer.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    }
    const message = params.message as JsonObject
    const contextId = String(message.contextId ?? `context-${contexts.size}`)
    const taskId = String(message.taskId ?? `task-${++tasks}`)
    const text = wordsOf(message)
    const turns = contexts.get(contextId) ?? 0
    const status = (state: string, words?: string) => {
      const said = words === undefined ? {} : { message: messageOf(isOlder, `${taskId}-${state}`, words) }
      const update = { taskId, contextId, status: { state: spell(state), ...said } }
      reply(isOlder ? { kind: 'status-update', ...update, final: state !== 'working' } : { statusUpdate: update })
    }
    const say = (words: string) => {
      const artifact = {
        artifactId: `${taskId}-answer`,
        parts: [isOlder ? { kind: 'text', text: words } : { text: words }],
      }
      const update = { taskId, contextId, artifact, lastChunk: true }
      reply(isOlder ? { kind: 'artifact-update', ...update } : { artifactUpdate: update })
    }
    const task = { id: taskId, contextId, status: { state: spell('submitted') }, history: [message] }
    reply(isOlder ? { kind: 'task', ...task } : { task })
    if (message.taskId !== undefined) {
      say(`It was ${text.startsWith('approved') ? 'approved' : 'denied'}.`)
      return status('completed')
    }
    contexts.set(contextId, turns + 1)
    if (text === 'ask') return status('input-required', 'May I?')
    if (text === 'fail') return status('failed', 'The gauge is broken.')
    if (text !== 'wait') {
      say(`<${turns === 0 ? 'none' : `session-${turns}`}> ${text}`)
      return status('completed')
    }
    say('Waiting.')
    const cancelled = new Promise<void>((resolve) => waiting.set(taskId, resolve))
    await Promise.race([cancelled, answer.held()])
    status('canceled')
  }
}

const messageOf = (isOlder: boolean, messageId: string, text: string) =>
  isOlder
    ? { kind: 'message', messageId, role: 'agent', parts: [{ kind: 'text', text }] }
    : { messageId, role: 'ROLE_AGENT', parts: [{ text }] }
