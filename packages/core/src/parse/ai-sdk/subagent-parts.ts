import { remember } from '../../data/remember.ts'
import type { BlockKind } from '../../event-fields.ts'
import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import { SILENT } from '../parser.ts'
import type { createBlocks } from './blocks.ts'
import type { DataPart } from './raw.ts'

interface OpenPart {
  readonly kind: BlockKind
  text: string
}

/** A part of a subagent: a text or a thought, as far as it is written. */
interface WrittenPart {
  readonly agentId: string
  readonly type: BlockKind
  readonly text: string
  readonly state: string
  readonly citations?: readonly Json[]
  readonly providerMetadata?: JsonObject
}

/** What Millrace writes of a subagent's blocks: parts that are repeated as they grow, and deltas in between. */
export function createSubagentParts(blocks: ReturnType<typeof createBlocks>) {
  const open = new Map<string, OpenPart>()

  /** Adds what the part has more than before. */
  function write(out: Out, id: string, { agentId, type, text, state, citations, providerMetadata }: WrittenPart): void {
    const millrace = providerMetadata?.millrace
    const metadata = { ...providerMetadata, millrace: { ...(isJsonObject(millrace) && millrace), agentId } }
    if (!open.has(id)) {
      blocks.start(out, type, { id, providerMetadata: metadata })
      remember(open, id, { kind: type, text: '' })
    }
    const part = open.get(id) as OpenPart
    addText(out, id, part, text.slice(part.text.length))
    part.text = text
    if (state !== 'done') return
    open.delete(id)
    blocks.end(out, part.kind, { id, ...(citations && { citations }), ...(providerMetadata && { providerMetadata }) })
  }

  function addText(out: Out, id: string, { kind }: OpenPart, delta: string): void {
    if (delta !== '') blocks.add(out, kind, { id, delta })
  }

  return {
    /** Undefined for a part of an application, and for one that takes back what it said: ours only grow. */
    push({ type, id, data }: DataPart): Out | typeof SILENT | undefined {
      if (!isJsonObject(data)) return undefined
      const out: Out = []
      if (type === 'data-subagent-part' && isText(id) && isWritten(data, open.get(id)?.text))
        write(out, id, data as unknown as WrittenPart)
      else if (type === 'data-subagent-delta' && isText(data.id) && isText(data.delta) && open.has(data.id)) {
        const part = open.get(data.id) as OpenPart
        addText(out, data.id, part, data.delta)
        part.text += data.delta
      } else return undefined
      return out.length === 0 ? SILENT : out
    },
  }
}

const STATES: ReadonlySet<Json | undefined> = new Set(['streaming', 'done'])
const KINDS: ReadonlySet<Json | undefined> = new Set(['text', 'reasoning'])

function isWritten(data: JsonObject, before = ''): boolean {
  const { agentId, type, text, state, citations, providerMetadata } = data
  const isMarked = KINDS.has(type) && STATES.has(state) && (citations === undefined || Array.isArray(citations))
  return isMarked && isText(agentId) && isText(text) && text.startsWith(before) && isJsonObject(providerMetadata ?? {})
}
