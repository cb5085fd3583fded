import type { Entry } from '../../entry.ts'
import type { EventOf, EventType, StreamEvent } from '../../events.ts'
import { createRunClock } from '../run-clock.ts'
import {
  addToolInput,
  completeTool,
  completeToolInput,
  endSubagent,
  noteProgress,
  reduceApproval,
  startSubagent,
  startTool,
} from './reduce-calls.ts'
import {
  addStatus,
  addText,
  addUsage,
  betweenSteps,
  endBlock,
  endMessage,
  endRun,
  failAttempt,
  nameModel,
  retractMessages,
  startBlock,
  startMessage,
  startStep,
} from './reduce-model.ts'
import type { Span, Spans } from './span.ts'
import { shapeOfSpan } from './span-draft.ts'
import { createSpanRun, limitTimes, type SpanRun } from './span-state.ts'

/** Reads from the entries of one run what its time was for. The same entries give the same spans, live or stored. */
export interface SpanFold {
  /** Applies entries in order. An entry whose `seq` was already applied is ignored. */
  push(entries: readonly Entry[]): void
  /** The spans so far, immutable. A later one shares with it every span that has ended and did not change. */
  snapshot(): Spans
}

const ignore = (): void => {}

/** One reducer per event type; a missing row does not compile. */
const reducers: { readonly [Type in EventType]: (run: SpanRun, event: EventOf<Type>) => void } = {
  'run-start'(run, { model }) {
    if (model !== undefined) run.model = model
  },
  'run-end': endRun,
  'message-start': startMessage,
  'message-end': endMessage,
  'message-retract': retractMessages,
  'step-start': startStep,
  'step-end': betweenSteps,
  'block-start': startBlock,
  'block-delta': addText,
  'block-patch': ignore,
  'block-end': endBlock,
  'tool-start': startTool,
  'tool-input-delta': addToolInput,
  'tool-input': completeToolInput,
  approval: reduceApproval,
  'tool-progress': noteProgress,
  'tool-output': completeTool,
  source: ignore,
  file: ignore,
  todos: ignore,
  'subagent-start': startSubagent,
  'subagent-end': endSubagent,
  status: addStatus,
  usage: addUsage,
  state: ignore,
  data: ignore,
  metadata: nameModel,
  control: ignore,
  error: failAttempt,
  raw: ignore,
}

const table = new Map(Object.entries(reducers)) as Map<string, (run: SpanRun, event: StreamEvent) => void>

export function createSpans({ runId = 'run' }: { readonly runId?: string } = {}): SpanFold {
  const run = createSpanRun(runId)
  const clock = createRunClock((time) => limitTimes(run, time))
  let shapes: readonly Span[] = []
  let snapshot: Spans | undefined

  return {
    push(entries) {
      for (const entry of entries) {
        if (entry.seq <= run.seq) continue
        snapshot = undefined
        run.seq = entry.seq
        const { at } = clock.dated(entry)
        run.at = at
        run.now = run.startedAt === undefined ? at : Math.max(run.now, at)
        run.startedAt ??= run.now
        table.get(entry.event.type)?.(run, entry.event)
      }
    },
    snapshot() {
      if (snapshot !== undefined) return snapshot
      shapes = shapesNow(run, shapes)
      snapshot = spansOf(run, shapes)
      return snapshot
    },
  }
}

/** The spans of the entries of one run. */
export function spansOfEntries(entries: readonly Entry[], options?: { readonly runId?: string }): Spans {
  const spans = createSpans(options)
  spans.push(entries)
  return spans.snapshot()
}

function shapesNow(run: SpanRun, before: readonly Span[]): readonly Span[] {
  const { drafts, open, changed, now } = run
  if (open.size === 0 && changed.size === 0 && before.length === drafts.length) return before
  const shapes = before.slice()
  for (let position = before.length; position < drafts.length; position++) changed.add(position)
  for (const { position } of open) changed.add(position)
  for (const position of changed) {
    const draft = drafts[position]
    if (draft !== undefined) shapes[position] = shapeOfSpan(draft, now)
  }
  changed.clear()
  return shapes
}

function spansOf(run: SpanRun, spans: readonly Span[]): Spans {
  const { runId, now, startedAt = now, outcome, marks } = run
  const usage = run.usage.total()
  return {
    runId,
    startedAt,
    endedAt: now,
    isOver: outcome !== undefined,
    ...(outcome !== undefined && { outcome }),
    spans,
    marks: marks.slice(),
    ...(usage !== undefined && { usage }),
  }
}
