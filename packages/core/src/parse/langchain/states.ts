import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'

/** The last state of each graph, so that only changes are emitted. Streams repeat states whole. */
export interface States {
  /** Sets the whole state of a channel, without its messages, which are emitted as messages. */
  set(channel: string, state: JsonObject): StreamEvent[]
  /** Sets fields of a channel. Other fields stay as they are. */
  write(channel: string, fields: JsonObject): StreamEvent[]
}

/** How many channels are remembered. Each nested graph has its own. */
const MAX_CHANNELS = 256

export function createStates(): States {
  const channels = new Map<string, Map<string, string>>()

  function change(channel: string, state: JsonObject, isWhole: boolean): StreamEvent[] {
    const before = channels.get(channel)
    const fields = Object.keys(state)
    if (before === undefined && fields.length === 0) return []
    const texts = new Map(fields.map((field) => [field, JSON.stringify(state[field])]))
    const held = before === undefined || isWhole ? texts : new Map([...before, ...texts])
    remember(channels, channel, held, MAX_CHANNELS)
    if (before === undefined) return [{ type: 'state', channel, op: 'snapshot', value: state }]
    const patch: Json[] = []
    for (const [field, text] of texts) {
      if (before.get(field) === text) continue
      patch.push({ op: 'add', path: pathOf(field), value: state[field] as Json })
    }
    for (const field of isWhole ? before.keys() : []) {
      if (!texts.has(field)) patch.push({ op: 'remove', path: pathOf(field) })
    }
    return patch.length === 0 ? [] : [{ type: 'state', channel, op: 'patch', value: patch }]
  }

  return {
    set: (channel, state) => change(channel, state, true),
    write: (channel, fields) => change(channel, fields, false),
  }
}

const pathOf = (field: string) => `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
