import { present } from '../data/present.ts'
import { createActivities } from './ag-ui/activities.ts'
import { createCalls } from './ag-ui/calls.ts'
import { extraFields, inCamelCase, scopeOf, sentAtOf, textOrJson } from './ag-ui/fields.ts'
import { createMillraceParser, isMillraceStream } from './ag-ui/millrace-stream.ts'
import { createProse } from './ag-ui/prose.ts'
import {
  type CallStart,
  CONTINUES_RUN,
  ENDS_CHUNK,
  isComplete,
  type RawEvent,
  recognize,
  type TextStart,
} from './ag-ui/raw.ts'
import { addUsage, createRuns } from './ag-ui/run.ts'
import { createSeen } from './ag-ui/seen.ts'
import { createSnapshots } from './ag-ui/snapshot.ts'
import { createTurnTracker } from './ag-ui/turn-tracker.ts'
import { isEmpty } from './kit/keep.ts'
import type { Rows } from './kit/rows.ts'
import type { Out } from './kit/voice.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** AG-UI 1.0 and the drafts before it. A stream may hold several runs, one after another. */
export const agUi: Parser = {
  version: 5,
  losses: {
    retract: 'A snapshot that leaves a message out does not say why.',
    signature: 'A thought has one encrypted value and no signature.',
    citations: 'Text carries no citations.',
    'tool-progress': 'The result of a tool arrives whole.',
    'tool-nesting': 'A call names its message, and no other call.',
    sources: 'There is no event for sources.',
    cost: 'Usage counts tokens.',
    control: 'Requests go to the agent, not into its stream.',
    errors: 'Every error ends its run.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const seen = createSeen()
  const turnTracker = createTurnTracker()
  const prose = createProse(seen, turnTracker)
  const calls = createCalls(seen, turnTracker)
  const activities = createActivities()
  const snapshots = createSnapshots(seen, prose, calls, activities)
  const runs = createRuns(calls, seen)
  const steps = new Map<string, string>()
  /** What the last chunk belongs to. Chunks mark neither the start nor the end of it. */
  let chunk: { readonly kind: 'text' | 'reasoning' | 'tool'; readonly id: string } | undefined
  let chunkCount = 0
  let thoughtCount = 0
  let hasState = false

  const thinkingId = () => `thinking-${thoughtCount}`

  function endChunk(out: Out): void {
    if (chunk === undefined) return
    const { kind, id } = chunk
    chunk = undefined
    if (kind === 'tool') calls.end(out, id, {})
    else prose.end(out, kind, id, {})
  }

  function readChunk(out: Out, kind: 'text' | 'reasoning' | 'tool', raw: Chunk): void {
    const { delta } = raw
    const givenId = kind === 'tool' ? raw.toolCallId : raw.messageId
    if ((givenId ?? delta) === undefined) throw new TypeError('The chunk has neither an id nor a delta.')
    // A chunk without an id continues what is open.
    const isSame = chunk?.kind === kind && (givenId === undefined || givenId === chunk.id)
    if (!isSame) endChunk(out)
    const id = isSame && chunk !== undefined ? chunk.id : (givenId ?? `${kind}-chunk-${++chunkCount}`)
    chunk = { kind, id }
    if (kind === 'tool') {
      if (!isSame) calls.start(out, { ...raw, toolCallId: id })
      if (delta) calls.add(out, id, delta, raw)
      return
    }
    if (!isSame) prose.start(out, kind, id, raw)
    if (delta) prose.add(out, kind, id, delta, raw)
  }

  const rows: Rows<RawEvent> = {
    RUN_STARTED(out, raw) {
      turnTracker.endRun()
      runs.start(out, raw)
      snapshots.readInput(out, raw.input?.messages ?? [], raw)
    },
    RUN_FINISHED: runs.finish,
    RUN_ERROR: runs.fail,
    STEP_STARTED(out, raw) {
      steps.set(raw.subagentRunId ?? '', raw.stepName)
      out.push({ ...scopeOf(raw), type: 'step-start', kind: 'node', name: raw.stepName })
    },
    STEP_FINISHED(out, raw) {
      const agent = raw.subagentRunId ?? ''
      // AG-UI steps may overlap; an event log has one current step per agent, the one that began last.
      if (steps.get(agent) !== raw.stepName) return
      steps.delete(agent)
      out.push({ ...scopeOf(raw), type: 'step-end' })
    },
    TEXT_MESSAGE_START: (out, raw) => prose.start(out, 'text', raw.messageId, raw),
    TEXT_MESSAGE_CONTENT: (out, raw) => prose.add(out, 'text', raw.messageId, raw.delta, raw),
    TEXT_MESSAGE_END: (out, raw) => prose.end(out, 'text', raw.messageId, raw),
    TEXT_MESSAGE_CHUNK: (out, raw) => readChunk(out, 'text', raw),
    TOOL_CALL_START: calls.start,
    TOOL_CALL_ARGS: (out, raw) => calls.add(out, raw.toolCallId, raw.delta, raw),
    TOOL_CALL_END: (out, raw) => calls.end(out, raw.toolCallId, raw),
    TOOL_CALL_CHUNK: (out, raw) => readChunk(out, 'tool', raw),
    TOOL_CALL_RESULT: (out, raw) => calls.result(out, raw.toolCallId, raw, raw),
    REASONING_START: () => undefined,
    REASONING_MESSAGE_START: (out, raw) => prose.start(out, 'reasoning', raw.messageId, raw),
    REASONING_MESSAGE_CONTENT: (out, raw) => prose.add(out, 'reasoning', raw.messageId, raw.delta, raw),
    REASONING_MESSAGE_END: (out, raw) => prose.end(out, 'reasoning', raw.messageId, raw),
    REASONING_MESSAGE_CHUNK: (out, raw) => readChunk(out, 'reasoning', raw),
    REASONING_END: (out, raw) => prose.end(out, 'reasoning', raw.messageId, raw),
    REASONING_ENCRYPTED_VALUE(out, raw) {
      const owner = raw.subtype === 'tool-call' ? calls : prose
      owner.encrypt(out, raw.entityId, raw.encryptedValue, raw)
    },
    THINKING_START(out, raw) {
      thoughtCount++
      if (raw.title !== undefined) prose.start(out, 'reasoning', thinkingId(), raw)
    },
    THINKING_TEXT_MESSAGE_START: (out, raw) => prose.start(out, 'reasoning', thinkingId(), raw),
    THINKING_TEXT_MESSAGE_CONTENT: (out, raw) => prose.add(out, 'reasoning', thinkingId(), raw.delta, raw),
    THINKING_CONTENT: (out, raw) => prose.add(out, 'reasoning', thinkingId(), raw.delta, raw),
    THINKING_TEXT_MESSAGE_END(out, raw) {
      prose.end(out, 'reasoning', thinkingId(), raw)
      thoughtCount++
    },
    THINKING_END: (out, raw) => prose.end(out, 'reasoning', thinkingId(), raw),
    STATE_SNAPSHOT(out, raw) {
      hasState = true
      out.push({ ...scopeOf(raw), type: 'state', channel: 'state', op: 'snapshot', value: raw.snapshot })
    },
    STATE_DELTA(out, raw) {
      // AG-UI state is never undefined: a delta without an earlier snapshot changes the empty object.
      if (!hasState) out.push({ type: 'state', channel: 'state', op: 'snapshot', value: {} })
      hasState = true
      out.push({ ...scopeOf(raw), type: 'state', channel: 'state', op: 'patch', value: raw.delta })
    },
    MESSAGES_SNAPSHOT: (out, raw) => snapshots.read(out, raw.messages, raw),
    ACTIVITY_SNAPSHOT: (out, raw) => activities.set(out, raw, raw),
    ACTIVITY_DELTA: activities.patch,
    SUBAGENT_STARTED(out, raw) {
      const { subagentRunId: agentId, name = agentId, description, parentSubagentRunId, parentToolCallId } = raw
      const more = present({ task: description, callId: parentToolCallId, parentAgentId: parentSubagentRunId })
      out.push({ ...scopeOf(raw), type: 'subagent-start', agentId, name, ...more })
    },
    SUBAGENT_FINISHED(out, raw) {
      const { subagentRunId: agentId = '', result, outcome } = raw
      const summary = result === undefined || result === null ? {} : { summary: textOrJson(result) }
      const status = outcome?.type === 'suspended' ? 'interrupted' : 'done'
      out.push({ ...scopeOf(raw), type: 'subagent-end', agentId, status, ...summary })
    },
    SUBAGENT_ERROR(out, raw) {
      const { subagentRunId: agentId = '', message, code, metadata } = raw
      const scope = scopeOf(code === undefined ? raw : { ...raw, metadata: { ...metadata, code } })
      out.push({ ...scope, type: 'subagent-end', agentId, status: 'failed', ...present({ summary: message }) })
    },
    RAW: (out, raw) => out.push(...unmapped(raw)),
    CUSTOM(out, raw) {
      const { name, value = null } = raw
      if (name === 'on_interrupt') runs.ask(out, value, raw)
      else out.push({ ...scopeOf(raw), type: 'data', name, data: value })
    },
    USAGE_METADATA: (out, raw) => addUsage(out, raw, sentAtOf(raw)),
  }
  const table = new Map(Object.entries(rows)) as ReadonlyMap<string, (out: Out, raw: RawEvent) => void>

  let millraceState: ParserState | undefined
  return {
    push(value, record) {
      if (millraceState === undefined && !seen.hasContent && isMillraceStream(value))
        millraceState = createMillraceParser()
      if (millraceState !== undefined) return millraceState.push(value, record)
      const raw = inCamelCase(value as RawEvent)
      const row = table.get(raw.type)
      if (row === undefined || !isComplete(raw)) return unmapped(value)
      const out: Out = []
      if (ENDS_CHUNK.test(raw.type)) endChunk(out)
      if (CONTINUES_RUN.test(raw.type) && raw.subagentRunId === undefined) calls.unanswered.clear()
      const before = out.length
      row(out, raw)
      // A repeated start or end is understood, unless it carries extra fields, which must not be lost.
      if (out.length === before && !isEmpty(extraFields(raw))) out.push(...unmapped(value))
      return understood(out)
    },
    end: () => millraceState?.end() ?? runs.endEvents(),
  }
}

type Chunk = TextStart & Partial<CallStart> & { readonly delta?: string }
