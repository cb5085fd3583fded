import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { clientIdOf, createPeople, type PersonMessage } from '../people.ts'
import type { HistoryReader } from '../wire.ts'
import { createMessageList, type ListedMessage } from './message-list.ts'
import { resultOf } from './result.ts'

/** The messages of a thread, as in a snapshot of the protocol. */
export function createAgUiHistory(): HistoryReader {
  const list = createMessageList()
  const people = createPeople()
  /** The client's ids of the calls, by those of the log. */
  const callIds = new Map<string, string>()
  const returned = new Set<string>()
  let runId = ''
  let toolMessage: string | undefined

  /** A call that is repeated in a message of role `tool` is one that the client has run. */
  function noteTools(event: StreamEvent): void {
    if (event.agentId !== undefined) return
    if (event.type === 'message-start') toolMessage = event.role === 'tool' ? event.messageId : undefined
    else if (event.type === 'message-end' && event.messageId === toolMessage) toolMessage = undefined
    else if (event.type === 'tool-start' && toolMessage !== undefined) returned.add(event.callId)
    else if (event.type === 'tool-output' && returned.delete(event.callId)) list.add(outputOf(event))
  }

  function outputOf(event: EventOf<'tool-output'>): ListedMessage {
    const { callId, error } = event
    const id = clientIdOf(event) ?? `${runId}/result/${callId}`
    const { content } = resultOf(event)
    return {
      id,
      role: 'tool',
      toolCallId: callIds.get(callId) ?? callId,
      content,
      ...(error !== undefined && { error }),
    }
  }

  return {
    begin(options) {
      runId = options.runId
      toolMessage = undefined
      returned.clear()
      people.begin(runId)
    },
    push(entry, chunks) {
      const person = people.push(entry)
      if (person !== undefined) list.add(listed(person))
      noteTools(entry.event)
      for (const chunk of chunks) {
        list.push(chunk)
        if (chunk.type === 'TOOL_CALL_START') noteCall(String(chunk.toolCallId))
      }
    },
    messages: list.messages,
  }

  function noteCall(id: string): void {
    callIds.set(id.slice(runId.length + 1), id)
  }
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'video'])

/** The message of a person. Its content is read when the messages are, because it grows. */
function listed({ id, role, texts, files }: PersonMessage): ListedMessage {
  const fileParts = (): JsonObject[] =>
    files.map(({ mediaType, filename, bytes, url = '' }) => {
      const [kind = ''] = mediaType.split('/')
      const source = bytes === undefined ? { type: 'url', value: url } : { type: 'data', value: bytes }
      const metadata = filename === undefined ? {} : { metadata: { filename } }
      return { type: MEDIA.has(kind) ? kind : 'document', source: { ...source, mimeType: mediaType }, ...metadata }
    })
  return {
    id,
    role,
    get content(): Json {
      const text = texts.map((block) => block.text).join('\n')
      // The client refuses files in any other role.
      if (files.length === 0 || role !== 'user') return text
      return [...(text === '' ? [] : [{ type: 'text', text }]), ...fileParts()]
    },
  }
}
