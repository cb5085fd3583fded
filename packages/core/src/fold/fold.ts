import type { Entry } from '../entry.ts'
import type { EventOf, EventType, StreamEvent } from '../events.ts'
import { limitTimes, shapesOf, type Watch } from './draft.ts'
import { createFoldState, type FoldState } from './fold-state.ts'
import { forkOf } from './fork.ts'
import {
  addText,
  endBlock,
  endMessage,
  endSubagent,
  patchBlock,
  retractMessages,
  startBlock,
  startMessage,
  startSubagent,
} from './reduce-messages.ts'
import {
  addData,
  addError,
  addFile,
  addMetadata,
  addSource,
  addStatus,
  addUsage,
  changeState,
  endRun,
  keepRaw,
  mergeMetadata,
  reduceTodos,
} from './reduce-others.ts'
import {
  addToolInput,
  addToolProgress,
  completeTool,
  completeToolInput,
  reduceApproval,
  startTool,
} from './reduce-tools.ts'
import { createRunClock, type RunClock } from './run-clock.ts'
import type { RunSnapshot, RunTotals } from './shapes.ts'
import { endStep, startStep } from './steps.ts'

/** Raised when the same entries would fold to another snapshot: a stored fold names the version that made it. */
export const FOLD_VERSION = 4

/** Folds the entries of one run into chat events. The same entries give the same snapshot, live or stored. */
export interface Fold {
  /** Applies entries in order, each in constant time. An entry whose `seq` was already applied is ignored. */
  push(entries: readonly Entry[]): void
  /** The run so far, immutable. The cost depends on what changed since the last snapshot, which shares the rest. */
  snapshot(): RunSnapshot
  /** A fold that goes on from here apart from this one. The cost is that of the drafts so far. */
  fork(): Fold
}

export interface FoldOptions {
  readonly runId?: string
  readonly watch?: Watch
}

/** One reducer per event type; a missing row does not compile. */
const reducers: {
  readonly [Type in EventType]: (state: FoldState, entry: Entry, event: EventOf<Type>) => void
} = {
  'run-start'(state, _entry, { agent, model }) {
    const metadata = { ...(agent !== undefined && { agent }), ...(model !== undefined && { model }) }
    if (agent !== undefined || model !== undefined) mergeMetadata(state, metadata)
  },
  'run-end': endRun,
  'message-start': startMessage,
  'message-end': endMessage,
  'message-retract': retractMessages,
  'step-start': startStep,
  'step-end': endStep,
  'block-start': startBlock,
  'block-delta': addText,
  'block-patch': patchBlock,
  'block-end': endBlock,
  'tool-start': startTool,
  'tool-input-delta': addToolInput,
  'tool-input': completeToolInput,
  approval: reduceApproval,
  'tool-progress': addToolProgress,
  'tool-output': completeTool,
  source: addSource,
  file: addFile,
  todos: reduceTodos,
  'subagent-start': startSubagent,
  'subagent-end': endSubagent,
  status: addStatus,
  usage: addUsage,
  state: changeState,
  data: addData,
  metadata: addMetadata,
  control: ignore,
  error: addError,
  raw: keepRaw,
}

const table = new Map(Object.entries(reducers)) as Map<
  string,
  (state: FoldState, entry: Entry, event: StreamEvent) => void
>

export function createFold({ runId = 'run', watch }: FoldOptions = {}): Fold {
  const state = createFoldState(runId, watch)
  return foldOf(
    state,
    createRunClock((time) => limitStart(state, time)),
  )
}

/** No entry so far was later than the framework's clock. */
function limitStart(state: FoldState, time: number): void {
  if (state.startedAt !== undefined) state.startedAt = Math.min(state.startedAt, time)
  for (const chat of state.chats.drafts) limitTimes(chat, time)
}

function foldOf(state: FoldState, clock: RunClock, startSeq = 0): Fold {
  let lastSeq = startSeq
  let snapshot: RunSnapshot | undefined

  return {
    push(entries) {
      for (const entry of entries) {
        if (entry.seq <= lastSeq) continue
        lastSeq = entry.seq
        snapshot = undefined
        const dated = clock.dated(entry)
        state.startedAt ??= dated.at
        table.get(entry.event.type)?.(state, dated, entry.event)
      }
    },
    snapshot() {
      snapshot ??= snapshotOfRun(state)
      return snapshot
    },
    fork() {
      const forked = forkOf(state)
      return foldOf(
        forked,
        clock.fork((time) => limitStart(forked, time)),
        lastSeq,
      )
    },
  }
}

export function fold(entries: readonly Entry[], options?: FoldOptions): RunSnapshot {
  const folded = createFold(options)
  folded.push(entries)
  return folded.snapshot()
}

/** The totals of a run. The same entries give the same totals, whether the run is stored or streamed. */
export function totalsOf({ usage, raw, startedAt, endedAt }: RunSnapshot): RunTotals {
  return {
    ...(usage !== undefined && { usage }),
    ...(raw !== undefined && { raw }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  }
}

function snapshotOfRun(state: FoldState): RunSnapshot {
  const usage = state.usage.total()
  return {
    runId: state.runId,
    chatEvents: shapesOf(state.chats),
    ...(state.outcome !== undefined && { outcome: state.outcome }),
    ...(state.error !== undefined && { error: state.error }),
    ...(usage !== undefined && { usage }),
    ...(state.metadata !== undefined && { metadata: state.metadata }),
    ...(state.channels !== undefined && { state: state.channels.all() }),
    ...(state.raw !== undefined && { raw: state.raw }),
    ...(state.startedAt !== undefined && { startedAt: state.startedAt }),
    ...(state.endedAt !== undefined && { endedAt: state.endedAt }),
  }
}

function ignore(): void {}
