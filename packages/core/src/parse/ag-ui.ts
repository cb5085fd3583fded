import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { createActivities } from './ag-ui/activities.ts'
import { createCalls } from './ag-ui/calls.ts'
import { createChunks } from './ag-ui/chunks.ts'
import { factsOf, textOrJson } from './ag-ui/facts.ts'
import { extraFields, inCamelCase, scopeOf, sentAtOf } from './ag-ui/fields.ts'
import { createMillraceParser, isMillraceStream } from './ag-ui/millrace-stream.ts'
import { createProse } from './ag-ui/prose.ts'
import type { Base, RawEvent } from './ag-ui/raw.ts'
import { recognize } from './ag-ui/recognize.ts'
import { createRuns } from './ag-ui/run.ts'
import { createSeen } from './ag-ui/seen.ts'
import { createSnapshots } from './ag-ui/snapshot.ts'
import { createTurnTracker } from './ag-ui/turn-tracker.ts'
import { usageRecord } from './ag-ui/usage.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** AG-UI 1.0 and the drafts before it. A stream may hold several runs, one after another. */
export const agUi: Parser = {
  version: 4,
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
  const chunks = createChunks(prose, calls)
  const activities = createActivities()
  const snapshots = createSnapshots(seen, prose, calls, activities)
  const runs = createRuns(calls)
  const steps = new Map<string, string>()
  let thoughtCount = 0
  let hasState = false

  const thinkingId = () => `thinking-${thoughtCount}`

  const handlers: Handlers<RawEvent> = {
    RUN_STARTED(raw) {
      turnTracker.endRun()
      return [...runs.start(raw), ...snapshots.readInput(raw.input?.messages ?? [], raw)]
    },
    RUN_FINISHED: (raw) => understood(runs.finish(raw)),
    RUN_ERROR: (raw) => understood(runs.fail(raw)),
    STEP_STARTED(raw) {
      steps.set(raw.subagentRunId ?? '', raw.stepName)
      return [{ ...scopeOf(raw), type: 'step-start', kind: 'node', name: raw.stepName }]
    },
    STEP_FINISHED(raw) {
      const agent = raw.subagentRunId ?? ''
      // AG-UI steps may overlap; an event log has one current step per agent, the one that began last.
      if (steps.get(agent) !== raw.stepName) return SILENT
      steps.delete(agent)
      return [{ ...scopeOf(raw), type: 'step-end' }]
    },
    TEXT_MESSAGE_START: (raw) => understoodIfBare(raw, prose.startText(raw)),
    TEXT_MESSAGE_CONTENT: (raw) => prose.add('text', raw.messageId, raw.delta, raw),
    TEXT_MESSAGE_END: (raw) => understoodIfBare(raw, prose.end('text', raw.messageId, raw)),
    TEXT_MESSAGE_CHUNK: chunks.text,
    TOOL_CALL_START: (raw) => understoodIfBare(raw, calls.start(raw)),
    TOOL_CALL_ARGS: (raw) => understood(calls.add(raw.toolCallId, raw.delta, raw)),
    TOOL_CALL_END: (raw) => understoodIfBare(raw, calls.end(raw.toolCallId, raw)),
    TOOL_CALL_CHUNK: chunks.tool,
    TOOL_CALL_RESULT: (raw) => calls.result(raw.toolCallId, raw, raw),
    REASONING_START: () => SILENT,
    REASONING_MESSAGE_START: (raw) => understoodIfBare(raw, prose.startReasoning(raw.messageId, raw)),
    REASONING_MESSAGE_CONTENT: (raw) => prose.add('reasoning', raw.messageId, raw.delta, raw),
    REASONING_MESSAGE_END: (raw) => understoodIfBare(raw, prose.end('reasoning', raw.messageId, raw)),
    REASONING_MESSAGE_CHUNK: chunks.reasoning,
    REASONING_END: (raw) => understoodIfBare(raw, prose.end('reasoning', raw.messageId, raw)),
    REASONING_ENCRYPTED_VALUE(raw) {
      const { subtype, entityId, encryptedValue } = raw
      const owner = subtype === 'tool-call' ? calls : prose
      return understood(owner.encrypt(entityId, encryptedValue, raw))
    },
    THINKING_START(raw) {
      thoughtCount++
      return raw.title === undefined
        ? SILENT
        : understoodIfBare(raw, prose.startReasoning(thinkingId(), raw, raw.title))
    },
    THINKING_TEXT_MESSAGE_START: (raw) => understoodIfBare(raw, prose.startReasoning(thinkingId(), raw)),
    THINKING_TEXT_MESSAGE_CONTENT: (raw) => prose.add('reasoning', thinkingId(), raw.delta, raw),
    THINKING_CONTENT: (raw) => prose.add('reasoning', thinkingId(), raw.delta, raw),
    THINKING_TEXT_MESSAGE_END(raw) {
      const events = prose.end('reasoning', thinkingId(), raw)
      thoughtCount++
      return understoodIfBare(raw, events)
    },
    THINKING_END: (raw) => understoodIfBare(raw, prose.end('reasoning', thinkingId(), raw)),
    STATE_SNAPSHOT(raw) {
      hasState = true
      return [{ ...scopeOf(raw), type: 'state', channel: 'state', op: 'snapshot', value: raw.snapshot }]
    },
    STATE_DELTA(raw) {
      // AG-UI state is never undefined: a delta without an earlier snapshot changes the empty object.
      const first: StreamEvent[] = hasState ? [] : [{ type: 'state', channel: 'state', op: 'snapshot', value: {} }]
      hasState = true
      return [...first, { ...scopeOf(raw), type: 'state', channel: 'state', op: 'patch', value: raw.delta }]
    },
    MESSAGES_SNAPSHOT: (raw) => snapshots.read(raw.messages, raw),
    ACTIVITY_SNAPSHOT: (raw) => activities.set(raw, raw, raw.replace !== false) ?? unmapped(raw),
    ACTIVITY_DELTA: (raw) => activities.patch(raw, raw.patch, raw) ?? unmapped(raw),
    SUBAGENT_STARTED(raw) {
      const { subagentRunId: agentId, name, description, parentSubagentRunId, parentToolCallId } = raw
      return [
        {
          ...scopeOf(raw),
          type: 'subagent-start',
          agentId,
          name: name ?? agentId,
          ...present({ task: description, callId: parentToolCallId, parentAgentId: parentSubagentRunId }),
        },
      ]
    },
    SUBAGENT_FINISHED(raw) {
      const { subagentRunId: agentId = '', result, outcome } = raw
      const summary = result === undefined || result === null ? {} : { summary: textOrJson(result) }
      const status = outcome?.type === 'suspended' ? ('interrupted' as const) : ('done' as const)
      return [{ ...scopeOf(raw), type: 'subagent-end', agentId, status, ...summary }]
    },
    SUBAGENT_ERROR(raw) {
      const { subagentRunId: agentId = '', message, code, metadata } = raw
      const scope = scopeOf(code === undefined ? raw : { ...raw, metadata: { ...metadata, code } })
      return [{ ...scope, type: 'subagent-end', agentId, status: 'failed', ...present({ summary: message }) }]
    },
    RAW: unmapped,
    CUSTOM(raw) {
      const { name, value = null } = raw
      if (name === 'on_interrupt') return runs.ask(value, raw)
      return [{ ...scopeOf(raw), type: 'data', name, data: value }]
    },
    USAGE_METADATA: (raw) => usageRecord(raw).map((event) => ({ ...sentAtOf(raw), ...event })),
  }

  const read = dispatch(handlers)
  let millraceState: ParserState | undefined
  return {
    push(value, record) {
      if (millraceState === undefined && !seen.hasContent && isMillraceStream(value))
        millraceState = createMillraceParser()
      if (millraceState !== undefined) return millraceState.push(value, record)
      const raw = inCamelCase(value as RawEvent)
      const facts = factsOf(raw)
      if (facts === undefined) return unmapped(value)
      const closed = facts.endsChunk ? understood(chunks.close()) : SILENT
      if (facts.continuesRun && raw.subagentRunId === undefined) calls.clearUnanswered()
      const events = read(raw, record)
      if (closed === SILENT) return events
      return events.length === 0 && events !== SILENT ? [...closed, ...unmapped(value)] : [...closed, ...events]
    },
    end: () => millraceState?.end() ?? runs.endEvents(),
  }
}

/** A repeated start or end is understood, unless it carries extra fields, which must not be lost. */
function understoodIfBare(raw: Base, events: readonly StreamEvent[]): readonly StreamEvent[] {
  return Object.keys(extraFields(raw)).length === 0 ? understood(events) : events
}
