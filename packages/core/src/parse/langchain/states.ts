import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'

/** What a graph's state was last said to be, so that only what changed is said again: states are repeated whole. */
export interface States {
  /** The state of a channel, without its messages: those are told as messages. */
  tell(channel: string, state: JsonObject): StreamEvent[]
  /** Fields of a channel that were written: those that are not there stay as they are. */
  write(channel: string, fields: JsonObject): StreamEvent[]
}

/** How many channels are remembered: each graph inside another has its own. */
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
    tell: (channel, state) => change(channel, state, true),
    write: (channel, fields) => change(channel, fields, false),
  }
}

const pathOf = (field: string) => `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
