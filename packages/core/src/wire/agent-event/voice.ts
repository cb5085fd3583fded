import type { Common } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Fields } from '../chunk-fields.ts'
import type { Agents } from './agents.ts'
import { type Beside, insteadOf, type Stream } from './stream.ts'
import { type AgentEvent, adaptToolEvent } from './tool-events.ts'

/** Says an event in the words of the protocol: the main agent's as they are, a subagent's as the progress of its call. */
export interface Voice {
  /** The words say the event, together with its place and the marks. */
  say(event: Common, words: AgentEvent, ids?: Ids, marks?: Fields): void
  /** The words are only what a client can show of it. */
  show(event: StreamEvent, words: AgentEvent, ids?: Ids): void
}

type Ids = Pick<Beside, 'callId' | 'parentCallId'>

const NO_IDS: Ids = {}

export function createVoice(stream: Stream, agents: Agents): Voice {
  function tell(
    agentId: string | undefined,
    words: AgentEvent,
    ids: Ids,
    marks: Fields | undefined,
    at?: number,
  ): void {
    if (agentId === undefined) {
      stream.say(words, { callId: ids.callId, parentCallId: ids.parentCallId, at, marks })
      return
    }
    const { callId, toolName } = agents.hostOf(agentId)
    const progress = adaptToolEvent({ type: 'progress', toolName, data: dataOf(words, ids) })
    stream.say(progress, { callId, parentCallId: undefined, at, marks })
  }

  return {
    say(event, words, ids = NO_IDS, marks) {
      const { agentId, messageId, meta, sentAt } = event
      const isPlain = agentId === undefined && messageId === undefined && meta === undefined
      tell(agentId, words, ids, isPlain ? marks : { agentId, messageId, meta, ...marks }, sentAt)
    },
    show(event, words, ids = NO_IDS) {
      tell(event.agentId, words, ids, insteadOf(event))
    },
  }
}

/** A subagent's text is the data itself; whatever else it says keeps its type as the subtype. */
function dataOf(words: AgentEvent, ids: Ids): unknown {
  const { type: subtype, ...fields } = words
  const isText = words.type === 'stream' && Object.keys(fields).length === 1
  return isText ? words.content : { subtype, ...fields, ...ids }
}
