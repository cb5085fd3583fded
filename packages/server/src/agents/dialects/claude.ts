import { isJsonObject, isText, type JsonObject } from '@millrace/core/json'
import type { AgentHost, ApprovalAnswer } from '../../run/agent.ts'
import type { Pipe } from '../pipe.ts'
import type { Permissions } from '../spec.ts'
import type { SavedFile, Turn } from '../turn.ts'
import { type Dialect, onStop } from './dialect.ts'

const modes: { readonly [Name in Permissions]: string } = {
  read: 'plan',
  ask: 'default',
  edits: 'acceptEdits',
  all: 'bypassPermissions',
}

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** `claude -p` with stream-json both ways. */
export const claude: Dialect = {
  format: 'claude-agent-sdk',
  can: { steer: true, edit: true, session: 'fork', files: IMAGES },
  stopDelay: 1500,
  argv: ({ spec: { permissions, model, instructions }, session }) => [
    ...['-p', '--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--permission-prompt-tool', 'stdio', '--permission-mode', modes[permissions]],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(instructions === undefined ? [] : [`--append-system-prompt=${instructions}`]),
    // With `=`: the id of a session cannot be taken for a flag.
    ...(session === undefined ? [] : [`--resume=${session.id}`]),
    ...(session?.isFork ? ['--fork-session'] : []),
    ...(session?.isFork && session.at !== undefined ? [`--resume-session-at=${session.at}`] : []),
  ],
  async *converse(turn, host, pipe) {
    /** Tasks in the background: a result is not the end while one is open. */
    const tasks = new Set<unknown>()
    let at: string | undefined
    const control = (id: string, request: object) => pipe.write({ type: 'control_request', request_id: id, request })
    control('millrace-1', { subtype: 'initialize', forwardSubagentText: true })
    pipe.write(userLine([{ type: 'text', text: turn.prompt }, ...(await imagesOf(turn))]))
    onStop(turn, () => control('millrace-2', { subtype: 'interrupt' }))
    void steer(host, pipe)
    for await (const { bytes, value } of pipe.lines) {
      yield bytes
      if (!isJsonObject(value)) continue
      const { type, subtype, session_id, task_id } = value
      if (type === 'control_request') void answer(value, host, pipe)
      if (type === 'system' && subtype === 'task_started') tasks.add(task_id)
      if (type === 'system' && subtype === 'task_notification') tasks.delete(task_id)
      if (type === 'assistant' && isText(value.uuid)) at = value.uuid
      if (isText(session_id) && (subtype === 'init' || type === 'result')) host.session(session_id, at)
      if (type === 'result' && tasks.size === 0) pipe.finish()
    }
  },
}

const userLine = (content: readonly object[]) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})

async function imagesOf({ request, files }: Turn): Promise<readonly object[]> {
  const images = files.filter(({ mediaType }) => IMAGES.includes(mediaType))
  return Promise.all(
    images.map(async ({ id, mediaType }: SavedFile) => {
      const data = Buffer.from(await request.file(id)).toString('base64')
      return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
    }),
  )
}

async function steer(host: AgentHost, pipe: Pipe): Promise<void> {
  for await (const { text } of host.messages()) pipe.write(userLine([{ type: 'text', text }]))
}

async function answer({ request_id: id, request }: JsonObject, host: AgentHost, pipe: Pipe): Promise<void> {
  if (!isText(id) || !isJsonObject(request)) return
  const respond = (response: object) => pipe.write({ type: 'control_response', response })
  if (request.subtype !== 'can_use_tool') {
    return respond({ subtype: 'error', request_id: id, error: `"${request.subtype}" is not available.` })
  }
  const response = decisionOf(await host.answer(id), request)
  // A question that was withdrawn, or that a stop has ended, gets no response.
  if (response !== undefined) respond({ subtype: 'success', request_id: id, response })
}

function decisionOf(answer: ApprovalAnswer, { input, permission_suggestions }: JsonObject): object | undefined {
  if (answer.state === 'expired') return undefined
  if (answer.state === 'denied') return { behavior: 'deny', message: answer.message ?? 'The person said no.' }
  if (answer.state === 'answered') {
    const answers = answer.answer
    return { behavior: 'allow', updatedInput: { ...(isJsonObject(input) ? input : {}), answers } }
  }
  const suggested = Array.isArray(permission_suggestions) ? permission_suggestions.filter(isJsonObject) : []
  // Only the session learns it: the person's own settings are never written.
  const updatedPermissions = suggested.map((suggestion) => ({ ...suggestion, destination: 'session' }))
  return {
    behavior: 'allow',
    updatedInput: answer.input ?? input ?? {},
    ...(answer.remember !== undefined && { updatedPermissions }),
  }
}
