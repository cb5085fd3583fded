import type { Container, Draft, Row } from './draft.ts'
import type { ChatDraft, FoldState } from './fold-state.ts'
import { createPartialJson } from './partial-json.ts'
import type { ToolDraft } from './reduce-tools.ts'
import type { ChatEvent, Folded, Segment, StatusLine } from './shapes.ts'

type AnyDraft = Draft<Folded>

/** What some drafts have besides the fields of all. */
type Extras = Partial<Pick<Container, 'children'> & Pick<ToolDraft, 'input' | 'reports'>>

/**
 * A state that goes on apart from another one. Every draft is copied, because it is changed in place; the shapes that
 * were made of it are shared.
 */
export function forkOf(state: FoldState): FoldState {
  const copies = new Map<AnyDraft, AnyDraft>()
  const copied = <Any extends AnyDraft>(draft: Any) => copies.get(draft) as Any
  const all = <Any extends AnyDraft>(drafts: ReadonlyMap<string, Any>) => {
    const found = new Map<string, Any>()
    for (const [key, draft] of drafts) found.set(key, copied(draft))
    return found
  }
  const { chats, step, answerCall, channels } = state
  const holder = step?.holder
  const forked: FoldState['chats'] = { ...rowLike(chats), drafts: [] }
  for (const chat of chats.drafts) forked.drafts.push(copyOfChat(chat, forked, copies))
  return {
    ...state,
    chats: forked,
    openChats: state.openChats.map(copied),
    blocks: all(state.blocks),
    tools: all(state.tools),
    agents: all(state.agents),
    todos: all(state.todos),
    data: all(state.data),
    sources: new Set(state.sources),
    approvals: all(state.approvals),
    usage: state.usage.fork(),
    step: step && { ...step, holder: holder && { ...holder, chat: copied(holder.chat) }, usage: step.usage.fork() },
    answerCall: answerCall && copied(answerCall),
    channels: channels?.fork(),
  }
}

const rowLike = <Shape extends Folded>({ changed, shapes }: Row<Shape>): Row<Shape> => ({
  drafts: [],
  changed: changed.slice(),
  shapes,
})

function copyOfChat(chat: ChatDraft, row: Row<ChatEvent>, copies: Map<AnyDraft, AnyDraft>): ChatDraft {
  const copy = copyOf(chat, undefined, row as unknown as Row<never>, copies) as ChatDraft
  const { messageId, usage, steps } = chat
  return Object.assign(copy, { messageId, usage: usage.fork(), steps: { ...steps, ranges: steps.ranges.slice() } })
}

function copyOf(
  draft: AnyDraft & Extras,
  parent: AnyDraft | undefined,
  row: Row<never>,
  copies: Map<AnyDraft, AnyDraft>,
): AnyDraft {
  const fields: AnyDraft['fields'] & { lines?: readonly StatusLine[] } = { ...draft.fields }
  if (fields.lines !== undefined) fields.lines = fields.lines.slice()
  const { freeze, firstSeq, lastSeq, watch, frozen, position, children, input, reports } = draft
  // Written out: a spread takes several times as long, and a run has many drafts.
  const copy: AnyDraft & Extras = { fields, parent, freeze, firstSeq, lastSeq, watch, frozen, row, position }
  copies.set(draft, copy)
  if (reports !== undefined) copy.reports = reports.slice()
  // A parser cannot be copied: the new one reads the text again when a snapshot is taken.
  if (input !== undefined) copy.input = { text: input.text, unread: [input.text], parser: createPartialJson() }
  if (children !== undefined) {
    const segments: Row<Segment> = rowLike(children)
    for (const child of children.drafts) {
      segments.drafts.push(copyOf(child, copy, segments as unknown as Row<never>, copies) as Draft<Segment>)
    }
    Object.assign(copy, { children: segments })
  }
  return copy
}
