import type { Entry } from '../entry.ts'
import type { Common } from '../event-fields.ts'
import type { EventOf } from '../events.ts'
import { isText } from '../json.ts'

/** A message that a person or the host of a conversation sent. It grows until its entries are read. */
export interface PersonMessage {
  readonly id: string
  readonly role: 'user' | 'system'
  readonly texts: { text: string }[]
  readonly files: EventOf<'file'>[]
}

/** The messages of people in the entries of runs: wires whose clients have sent them do not send them back. */
export interface People {
  begin(runId: string): void
  /** A message that begins with this entry; later entries complete it. */
  push(entry: Entry): PersonMessage | undefined
}

/** The client's own id of a message, if it sent one. */
export function clientIdOf({ meta }: Common): string | undefined {
  const id = meta?.millrace?.clientId
  return isText(id) ? id : undefined
}

export function createPeople(): People {
  let runId = ''
  const open = new Map<string, PersonMessage>()
  const blocks = new Map<string, { text: string }>()
  let current: string | undefined

  function start(event: EventOf<'message-start'>): PersonMessage | undefined {
    const { messageId, role } = event
    if (event.agentId !== undefined) return undefined
    current = messageId
    if (role !== 'user' && role !== 'system') return undefined
    const message: PersonMessage = { id: clientIdOf(event) ?? `${runId}/${messageId}`, role, texts: [], files: [] }
    open.set(messageId, message)
    return message
  }

  const messageOf = ({ messageId, agentId }: Common) =>
    agentId === undefined ? open.get(messageId ?? current ?? '') : undefined

  function startBlock(event: EventOf<'block-start'>): void {
    const message = event.kind === 'text' ? messageOf(event) : undefined
    if (message === undefined) return
    const block = { text: '' }
    message.texts.push(block)
    blocks.set(event.blockId, block)
  }

  function changeBlock(
    { blockId, text }: { readonly blockId: string; readonly text?: string },
    isWhole: boolean,
  ): void {
    const block = blocks.get(blockId)
    if (block !== undefined && text !== undefined) block.text = isWhole ? text : block.text + text
  }

  function end({ messageId, agentId }: EventOf<'message-end'>): void {
    if (agentId !== undefined) return
    open.delete(messageId)
    if (current === messageId) current = undefined
  }

  const rows: { readonly [type: string]: (event: never) => void } = {
    'message-end': end,
    'block-start': startBlock,
    'block-delta': (event: EventOf<'block-delta'>) => changeBlock(event, false),
    'block-patch': (event: EventOf<'block-patch'>) => changeBlock(event, true),
    'block-end': ({ blockId }: EventOf<'block-end'>) => void blocks.delete(blockId),
    file: (event: EventOf<'file'>) => void messageOf(event)?.files.push(event),
  }

  return {
    begin(id) {
      runId = id
      open.clear()
      blocks.clear()
      current = undefined
    },
    push({ event }) {
      if (event.type === 'message-start') return start(event)
      rows[event.type]?.(event as never)
      return undefined
    },
  }
}
