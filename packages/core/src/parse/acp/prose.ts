import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { fileContent } from '../kit/file.ts'
import type { Out } from '../kit/voice.ts'
import type { EventScope } from '../parser.ts'

export type ProseKind = Pick<EventOf<'block-start'>, 'kind' | 'variant'>

/** The maximum number of messages whose text is remembered: memory must stay bounded on an endless stream. */
const MAX_MESSAGES = 64

interface Block {
  readonly id: string
  /** The agent, the kind and the message of the text: another key begins another block. */
  readonly key: string
  /** The text of earlier blocks of the same message. */
  readonly earlierText: string
  text: string
}

/** The stream does not mark the end of a text: a block ends when something else begins. */
export function createProse() {
  /** By message, its last block. */
  const lastBlocks = new Map<string, Block>()
  /** By message, how much of its other content was emitted: a message that is sent again repeats it. */
  const mediaCounts = new Map<string, number>()
  let open: Block | undefined
  let blockCount = 0
  let mediaCount = 0

  function end(out: Out): void {
    if (open !== undefined) out.push({ type: 'block-end', blockId: open.id })
    open = undefined
  }

  function begin(out: Out, proseKind: ProseKind, key: string, scope: EventScope): Block {
    end(out)
    const last = lastBlocks.get(key)
    const earlierText = last === undefined ? '' : last.earlierText + last.text
    open = { id: `block-${++blockCount}`, key, earlierText, text: '' }
    if (isNamed(key)) remember(lastBlocks, key, open, MAX_MESSAGES)
    out.push({ ...scope, type: 'block-start', blockId: open.id, ...proseKind })
    return open
  }

  function pushText(out: Out, text: string, proseKind: ProseKind, key: string, scope: EventScope): void {
    if (text === '') return
    const block = open?.key === key ? open : begin(out, proseKind, key, scope)
    if (isNamed(key)) block.text += text
    out.push({ ...scope, type: 'block-delta', blockId: block.id, text })
  }

  function rewrite(out: Out, block: Block, whole: string, scope: EventScope): void {
    const text = whole.startsWith(block.earlierText) ? whole.slice(block.earlierText.length) : whole
    if (text !== block.text) out.push({ ...scope, type: 'block-patch', blockId: block.id, text })
    block.text = text
  }

  return {
    pushChunk(out: Out, content: Content, proseKind: ProseKind, key: string, scope: EventScope): void {
      if (content.type === 'text') {
        pushText(out, content.text as string, proseKind, key, scope)
        return
      }
      remember(mediaCounts, key, (mediaCounts.get(key) ?? 0) + 1, MAX_MESSAGES)
      end(out)
      pushMedia(out, content, `media-${++mediaCount}`, scope)
    },
    /** The whole message, which replaces its earlier text. */
    pushWhole(out: Out, contents: readonly Content[], proseKind: ProseKind, key: string, scope: EventScope): void {
      const text = textOf(contents)
      const others = mediaOf(contents)
      const newOthers = others.slice(mediaCounts.get(key))
      remember(mediaCounts, key, others.length, MAX_MESSAGES)
      const last = lastBlocks.get(key)
      if (last === undefined) pushText(out, text, proseKind, key, scope)
      else rewrite(out, last, text, scope)
      for (const content of newOthers) pushMedia(out, content, `media-${++mediaCount}`, scope)
    },
    end,
  }
}

/** Only a message with an id can be sent again as a whole. */
function isNamed(key: string): boolean {
  return !key.endsWith('/')
}

/** A content block, as in MCP: the fields that are read. Each type has some of them. */
export interface Content extends Partial<Resource> {
  readonly type: string
  readonly data?: string | null
  readonly name?: string | null
  readonly title?: string | null
  readonly description?: string | null
  readonly resource?: Resource
}

interface Resource {
  readonly uri: string
  readonly mimeType?: string | null
  readonly text?: string
  readonly blob?: string
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'resource_link', 'resource'])

/** Whether the content is of a supported kind. */
export function isContent({ type, text }: Content): boolean {
  return type === 'text' ? typeof text === 'string' : MEDIA.has(type)
}

export function textOf(contents: readonly Content[]): string {
  return contents.map(({ type, text }) => (type === 'text' ? text : '')).join('')
}

export function mediaOf(contents: readonly Content[]): readonly Content[] {
  return contents.filter(({ type }) => type !== 'text')
}

/** Adds content other than text. */
export function pushMedia(out: Out, content: Content, id: string, scope: EventScope, callId?: string): void {
  const owner = { ...scope, ...present({ callId }) }
  const { type, data, uri: url, mimeType: mediaType, title, name, description } = content
  if (type === 'image' || type === 'audio') {
    const file = fileContent({ base64: data, url, mediaType }, 'application/octet-stream')
    out.push({ ...owner, type: 'file', fileId: id, ...file })
  } else if (type === 'resource_link') {
    const fields = present({ title: title ?? name, mediaType, snippet: description })
    out.push({ ...owner, ...sourceAt(url as string, id), ...fields })
  } else if (type === 'resource') {
    const { uri, mimeType, text, blob } = content.resource as Resource
    const file = fileContent({ base64: blob, url: uri, mediaType: mimeType }, 'application/octet-stream')
    if (blob !== undefined) out.push({ ...owner, type: 'file', fileId: id, ...file })
    else out.push({ ...owner, ...sourceAt(uri, id), ...present({ mediaType: mimeType, snippet: text }) })
  }
}

function sourceAt(url: string, sourceId: string): EventOf<'source'> {
  return { type: 'source', sourceId, kind: /^https?:/i.test(url) ? 'url' : 'file', url }
}
