import type { Entry } from '../entry.ts'
import type { EventOf, EventType } from '../events.ts'
import {
  addMeta,
  type Container,
  createRow,
  finish,
  freezeContainer,
  freezeFields,
  type Mutable,
  touch,
} from './draft.ts'
import { append, chatOf, containerOf, contentFieldsOf, type FoldState, finishStatus, openChat } from './fold-state.ts'
import type { ReasoningSegment, SubagentSegment, TextSegment } from './shapes.ts'

type Reduce<Type extends EventType> = (state: FoldState, entry: Entry, event: EventOf<Type>) => void

export const startMessage: Reduce<'message-start'> = (state, entry, event) => {
  state.usage.nextStep(event.agentId)
  if (event.agentId === undefined) openChat(state, entry, event.messageId, event)
}

export const endMessage: Reduce<'message-end'> = (state, entry, event) => {
  if (event.agentId !== undefined) return
  const index = state.openChats.findLastIndex((chat) => chat.messageId === event.messageId)
  const chat = state.openChats[index]
  if (chat === undefined) return
  state.openChats.splice(index, 1)
  finishStatus(chat, entry)
  if (chat.fields.state === 'live') chat.fields.state = event.interrupted ? 'interrupted' : 'done'
  addMeta(chat, event.meta)
  finish(chat, entry)
}

export const retractMessages: Reduce<'message-retract'> = (state, entry, event) => {
  for (const chat of state.chats.drafts) {
    if (!event.messageIds.includes(chat.messageId)) continue
    chat.fields.state = 'retracted'
    touch(chat, entry.seq)
  }
}

export const startBlock: Reduce<'block-start'> = (state, entry, event) => {
  const draft = append<TextSegment | ReasoningSegment>(containerOf(state, entry), entry, freezeFields, {
    type: event.kind,
    id: event.blockId,
    text: '',
    ...(event.variant !== undefined && { variant: event.variant }),
    state: 'live',
  })
  state.blocks.set(event.blockId, draft)
}

export const addText: Reduce<'block-delta'> = (state, entry, event) => {
  const block = state.blocks.get(event.blockId)
  if (block === undefined) return
  block.fields.text += event.text
  if (event.meta !== undefined) addMeta(block, event.meta)
  touch(block, entry.seq)
}

export const patchBlock: Reduce<'block-patch'> = (state, entry, event) => {
  const block = state.blocks.get(event.blockId)
  if (block === undefined) return
  const { type: _type, blockId: _blockId, ...patch } = contentFieldsOf(event)
  // An answer is made of the text before: it goes with that text.
  if (patch.text !== undefined) delete (block.fields as Mutable<TextSegment>).answer
  Object.assign(block.fields, patch)
  addMeta(block, event.meta)
  touch(block, entry.seq)
}

export const endBlock: Reduce<'block-end'> = (state, entry, event) => {
  const block = state.blocks.get(event.blockId)
  if (block === undefined || block.fields.state !== 'live') return
  block.fields.state = event.interrupted ? 'interrupted' : 'done'
  addMeta(block, event.meta)
  finish(block, entry)
}

export const startSubagent: Reduce<'subagent-start'> = (state, entry, event) => {
  const parent = event.parentAgentId === undefined ? undefined : state.agents.get(event.parentAgentId)
  const { agentId, name, task, callId } = event
  const container = parent ?? chatOf(state, event.messageId) ?? openChat(state, entry, 'm0', { role: 'assistant' })
  const draft = append<SubagentSegment>(container, entry, freezeContainer, {
    type: 'subagent',
    agentId,
    name,
    ...(task !== undefined && { task }),
    ...(callId !== undefined && { callId }),
    state: 'live',
  }) as Container<SubagentSegment>
  Object.assign(draft, { children: createRow() })
  state.agents.set(agentId, draft)
  const tool = callId === undefined ? undefined : state.tools.get(callId)
  if (tool === undefined) return
  tool.fields.shownAs = 'subagent'
  touch(tool, entry.seq)
}

export const endSubagent: Reduce<'subagent-end'> = (state, entry, event) => {
  const agent = state.agents.get(event.agentId)
  if (agent === undefined || agent.fields.state !== 'live') return
  finishStatus(agent, entry)
  agent.fields.state = event.status
  if (event.summary !== undefined) agent.fields.summary = event.summary
  addMeta(agent, event.meta)
  finish(agent, entry)
}
