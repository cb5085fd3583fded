import type { ChatEvent } from '../shapes.ts'
import { type Call, callsOf, endedBy, type Moment } from './calls.ts'
import { effectsOf } from './effects.ts'
import { textField } from './fields.ts'
import type { FileEffect } from './file-effect.ts'
import { type Authorship, afterEffect, type FileState } from './file-state.ts'
import { pathKey } from './paths.ts'

/** More files than these are not kept. */
const MOST_FILES = 2_000

export interface FilesOptions {
  /** Only what calls had done that had ended by this entry; absent: all. */
  readonly upTo?: Moment
  /** The folder in which the agent works: relative paths lie in it. */
  readonly folder?: string
}

/**
 * The files that calls read or changed, in the order in which they were first touched. A call counts when it has ended, in
 * the order of the ends. What a command writes by itself is not seen.
 */
export function filesOf(chatEvents: readonly ChatEvent[], options: FilesOptions = {}): readonly FileState[] {
  const states = new Map<string, FileState>()
  for (const call of endedBy(callsOf(chatEvents), options.upTo)) {
    const by = authorshipOf(call)
    const folder = textField(call.segment.input, 'folder') ?? options.folder
    for (const effect of effectsOf(call.segment)) apply(states, effect, by, folder)
  }
  return [...states.values()]
}

function apply(states: Map<string, FileState>, effect: FileEffect, by: Authorship, folder: string | undefined): void {
  const key = pathKey(effect.path, folder)
  const before = states.get(key)
  if (before === undefined && states.size >= MOST_FILES) return
  if (effect.type === 'move') {
    const to = pathKey(effect.to, folder)
    states.delete(key)
    states.set(to, next(before, to, effect, by))
  } else {
    states.set(key, next(before, key, effect, by))
  }
}

interface Step {
  readonly before: FileState | undefined
  readonly path: string
  readonly step: number
  readonly after: FileState
}

const lastSteps = new WeakMap<FileEffect, Step>()

/**
 * The state after an effect, found again while the state before it is the same object: a snapshot that adds a call costs
 * what the call costs, not what all calls before it did.
 */
function next(before: FileState | undefined, path: string, effect: FileEffect, by: Authorship): FileState {
  const last = lastSteps.get(effect)
  if (last !== undefined && last.before === before && last.path === path && last.step === by.step) return last.after
  const after = afterEffect(before, path, effect, by)
  lastSteps.set(effect, { before, path, step: by.step, after })
  return after
}

export function authorshipOf({ segment, runId, step, agentName }: Call): Authorship {
  const { callId, name, seqs, endedAt } = segment
  return {
    runId,
    seq: seqs[1],
    step,
    callId,
    toolName: name,
    ...(agentName !== undefined && { agentName }),
    ...(endedAt !== undefined && { endedAt }),
  }
}
