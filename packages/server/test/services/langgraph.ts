import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { type Answering, type Script, wordsOf } from './service.ts'

/** A LangGraph server that plays the script of `agentSuite`. */
export function langgraphScript(): Script {
  const threads = new Map<string, { turns: number; end?: () => void }>()
  let runs = 0
  return async ({ method, path, body }, answer) => {
    const [, , threadId = '', , runId] = path.split('/')
    if (path === '/threads') {
      const id = `thread-${threads.size}`
      threads.set(id, { turns: 0 })
      return answer.json({ thread_id: id })
    }
    const thread = threads.get(threadId)
    if (thread === undefined) return answer.json({ detail: 'Thread not found' }, 404)
    if (path.endsWith('/cancel')) {
      thread.end?.()
      return answer.json({})
    }
    if (method !== 'POST') return answer.json({ detail: `No such run: ${runId}` }, 404)
    const { input, command } = body
    answer.send({ run_id: `run-${++runs}`, attempt: 1 }, 'metadata', '0')
    if (isJsonObject(command)) return say(answer, `It was ${isApproved(command.resume) ? 'approved' : 'denied'}.`)
    const text = wordsOf((isJsonObject(input) ? (input.messages as readonly JsonObject[]) : [])[0])
    if (text === 'ask') return ask(answer)
    if (text === 'fail') return answer.send({ error: 'GaugeError', message: 'The gauge is broken.' }, 'error', '1')
    if (text !== 'wait') {
      const { turns } = thread
      thread.turns++
      return say(answer, `<${turns === 0 ? 'none' : `session-${turns}`}> ${text}`)
    }
    say(answer, 'Waiting.')
    const cancelled = new Promise<void>((resolve) => {
      thread.end = resolve
    })
    await Promise.race([cancelled, answer.held()])
  }
}

const isApproved = (resume: unknown) => JSON.stringify(resume).includes('approve')

function say({ send }: Answering, content: string): void {
  const metadata = { langgraph_node: 'model', langgraph_step: 1, checkpoint_ns: 'model:1' }
  const message = { type: 'AIMessageChunk', id: `lc-${content.length}` }
  send([{ ...message, content: content.slice(0, 8) }, metadata], 'messages', '1')
  send(
    [{ ...message, content: content.slice(8), response_metadata: { finish_reason: 'stop' } }, metadata],
    'messages',
    '2',
  )
}

function ask({ send }: Answering): void {
  const call = { id: 'call-1', name: 'write_log', args: { line: 'Noon' }, type: 'tool_call' }
  send({ model: { messages: [{ type: 'ai', id: 'lc-call', content: '', tool_calls: [call] }] } }, 'updates', '1')
  const action = { name: 'write_log', args: { line: 'Noon' }, description: 'May I?' }
  const value = {
    action_requests: [action],
    review_configs: [{ action_name: 'write_log', allowed_decisions: ['approve', 'edit', 'reject'] }],
  }
  send({ __interrupt__: [{ id: 'interrupt-1', value }] }, 'updates', '2')
}
