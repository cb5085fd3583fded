import type { FileEffect, FileText, Replacement } from './file-effect.ts'
import { type ChangedLine, changedLines, countsOf, type LineCounts, linesOf, sameRanges } from './line-diff.ts'
import { applyHunks, type Hunk } from './patches.ts'

/** The call that made a version of a file. */
export interface Authorship {
  readonly runId: string
  /** The entry with which the call ended. */
  readonly seq: number
  readonly step: number
  readonly callId: string
  readonly toolName: string
  readonly agentName?: string
  readonly endedAt?: number
}

/** A change of a file. */
export interface FileVersion extends Authorship {
  /** The whole text is the result of it; or only the changed lines are there; or nothing says what changed. */
  readonly shows: 'text' | 'hunks' | 'nothing'
  readonly hunks: readonly Hunk[]
  readonly counts?: LineCounts
  readonly note?: VersionNote
}

export type VersionNote = 'base unknown' | 'changed outside' | 'same text' | 'whole file written'

export interface FileState {
  readonly path: string
  /** `written`: its whole text was written, and nothing says whether it was there before. */
  readonly status: 'added' | 'written' | 'modified' | 'deleted' | 'moved' | 'read'
  /** Where the file was before it was moved. */
  readonly movedFrom?: string
  readonly base: FileText
  readonly now: FileText
  /** The step that wrote each line of `now`; 0: it was there before. */
  readonly blame: readonly number[]
  readonly versions: readonly FileVersion[]
  /** The last call that read or changed it. */
  readonly last: Authorship
}

/** A longer text is not compared. */
const MOST_TEXT = 1_000_000
const MOST_VERSIONS = 200

const isText = (text: FileText): text is { readonly text: string } => typeof text === 'object'
const textIn = (text: FileText) => (isText(text) ? text.text : undefined)

/** A file after a call. */
export function afterEffect(state: FileState | undefined, path: string, effect: FileEffect, by: Authorship): FileState {
  if (effect.type === 'move' && state !== undefined)
    return {
      ...state,
      path,
      status: state.status === 'added' ? 'added' : 'moved',
      movedFrom: state.movedFrom ?? state.path,
      last: by,
    }
  const start = withBase(state ?? firstState(path, effect, by), effect)
  if (effect.type === 'read' || effect.type === 'move') return { ...start, last: by }
  const change = changeOf(start.now, effect)
  const now = isText(change.now) && change.now.text.length > MOST_TEXT ? undefined : change.now
  const version = versionOf(start, { ...change, now }, effect, by)
  const isSame = version.note === 'same text'
  return {
    ...start,
    status: isSame ? start.status : statusOf(start, now, effect),
    now,
    blame: blameOf(start, now, by.step),
    versions: [...start.versions, version].slice(-MOST_VERSIONS),
    last: by,
  }
}

function firstState(path: string, effect: FileEffect, by: Authorship): FileState {
  const text: FileText = effect.type === 'read' && effect.text !== undefined ? { text: effect.text } : effect.before
  const base = text ?? (createsByEmpty(effect) ? 'absent' : undefined)
  return { path, status: 'read', base, now: base, blame: noBlame(base), versions: [], last: by }
}

/** An edit that replaces the empty text creates the file. */
const createsByEmpty = (effect: FileEffect) =>
  effect.type === 'replace' && effect.replacements.length === 1 && effect.replacements[0]?.before === ''

const noBlame = (text: FileText) => linesOf(textIn(text) ?? '').map(() => 0)

/** What the result, or a whole read, says of the file before the call. Lines that differ were changed outside of the run. */
function withBase(state: FileState, effect: FileEffect): FileState {
  const seen: FileText =
    effect.type === 'read' ? (effect.text === undefined ? undefined : { text: effect.text }) : effect.before
  if (seen === undefined || isEqual(seen, state.now)) return state
  const isFirst = state.versions.length === 0
  const blame = isFirst ? noBlame(seen) : carriedBlame(state, seen, 0)
  return { ...state, now: seen, blame, ...(isFirst && state.base === undefined && { base: seen }) }
}

/** Equal but for a final line break: some agents leave it out when they read. */
function isEqual(one: FileText, other: FileText): boolean {
  if (!isText(one) || !isText(other)) return one === other
  return one.text === other.text || one.text.replace(/\n$/, '') === other.text.replace(/\n$/, '')
}

interface Change {
  readonly now: FileText
  readonly hunks: readonly Hunk[]
  readonly isMissed?: boolean
}

function changeOf(now: FileText, effect: Exclude<FileEffect, { type: 'read' | 'move' }>): Change {
  switch (effect.type) {
    case 'write':
      return { now: { text: effect.text }, hunks: [] }
    case 'delete':
      return { now: 'absent', hunks: [] }
    case 'opaque':
      return { now: undefined, hunks: [] }
    case 'patch': {
      const { hunks } = effect
      const lines = isText(now) ? applyHunks(linesOf(now.text), hunks) : undefined
      if (lines !== undefined) return { now: { text: joined(lines, textIn(now) ?? '') }, hunks }
      return { now: undefined, hunks, isMissed: isText(now) }
    }
    case 'replace': {
      const hunks = effect.replacements.map(hunkOf)
      const text = replaced(now, effect.replacements)
      if (text !== undefined) return { now: { text }, hunks }
      return { now: undefined, hunks, isMissed: isText(now) }
    }
  }
}

const joined = (lines: readonly string[], like: string) =>
  lines.join(like.includes('\r\n') ? '\r\n' : '\n') + (like.endsWith('\n') || like === '' ? '\n' : '')

const hunkOf = ({ before, after }: Replacement): Hunk => ({ lines: changedLines(linesOf(before), linesOf(after)) })

/** The text after all replacements; undefined if one of them is not found, or is found twice. */
function replaced(now: FileText, replacements: readonly Replacement[]): string | undefined {
  let text = textIn(now) ?? ''
  if (!isText(now) && now !== 'absent') return undefined
  for (const replacement of replacements) {
    const found = spellingsOf(replacement, text).find(({ before }) => before === '' || text.includes(before))
    if (found === undefined || (found.before === '' && text !== '')) return undefined
    const parts = found.before === '' ? ['', ''] : text.split(found.before)
    if (parts.length > 2 && !found.isEverywhere) return undefined
    text = parts.join(found.after)
  }
  return text
}

/** The file may have other line ends than the edit, and its last one may have been left out when it was read. */
function spellingsOf(replacement: Replacement, text: string): readonly Replacement[] {
  const { before, after, isEverywhere } = replacement
  const spellings = [replacement, withLineEnds(replacement)]
  if (!before.endsWith('\n') || before === '\n' || !text.endsWith(before.slice(0, -1))) return spellings
  return [...spellings, { before: before.slice(0, -1), after: after.replace(/\n$/, ''), isEverywhere }]
}

/** The file may have the line ends of Windows where the edit has not. */
function withLineEnds({ before, after, isEverywhere }: Replacement): Replacement {
  const ended = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')
  return { before: ended(before), after: ended(after), isEverywhere }
}

function versionOf(state: FileState, change: Change, effect: FileEffect, by: Authorship): FileVersion {
  const { now, hunks } = change
  const isWhole = now !== undefined && (state.now !== undefined || effect.type === 'delete')
  const lines = isWhole ? diffOf(state.now, now) : hunks.flatMap((hunk) => hunk.lines)
  const counts = effect.counts ?? (lines.length > 0 ? countsOf(lines) : undefined)
  const note = noteOf(state, change, effect)
  return {
    ...by,
    shows: now !== undefined ? 'text' : hunks.length > 0 ? 'hunks' : 'nothing',
    hunks,
    ...(counts !== undefined && { counts }),
    ...(note !== undefined && { note }),
  }
}

function noteOf(state: FileState, { now, isMissed }: Change, effect: FileEffect): VersionNote | undefined {
  if (now !== undefined && isText(now) && isEqual(now, state.now)) return 'same text'
  if (isMissed === true) return 'changed outside'
  if (state.now === undefined && effect.type === 'write') return 'whole file written'
  return now === undefined && effect.type !== 'opaque' ? 'base unknown' : undefined
}

const diffOf = (before: FileText, after: FileText): readonly ChangedLine[] =>
  changedLines(linesOf(textIn(before) ?? ''), linesOf(textIn(after) ?? ''))

function statusOf(state: FileState, now: FileText, effect: FileEffect): FileState['status'] {
  if (now === 'absent') return 'deleted'
  const isNew = state.base === 'absent' || state.status === 'added' || (effect.type === 'opaque' && effect.isNew)
  if (isNew) return 'added'
  const isUnseen = state.base === undefined && state.status === 'read' && effect.type === 'write'
  if (isUnseen || state.status === 'written') return 'written'
  return state.status === 'moved' ? 'moved' : 'modified'
}

/** A text that is written over one that was not seen is all of this step. */
function blameOf(state: FileState, now: FileText, step: number): readonly number[] {
  return isText(now) ? carriedBlame(state, now, step) : []
}

/** Lines that stay keep their step, all others get this one. */
function carriedBlame({ now, blame }: FileState, after: FileText, step: number): readonly number[] {
  const lines = linesOf(textIn(after) ?? '')
  const carried = lines.map(() => step)
  for (const same of sameRanges(linesOf(textIn(now) ?? ''), lines)) {
    for (let index = 0; index < same.count; index++) carried[same.after + index] = blame[same.before + index] ?? 0
  }
  return carried
}
