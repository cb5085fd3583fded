import type { ToolSegment } from '@millrace/core/fold'
import type { Json, JsonObject } from '@millrace/core/json'
import { isObject } from './argument.ts'
import { kindNameOf } from './kinds.ts'

export interface ChangedLine {
  readonly sign: '+' | '-' | ' '
  readonly text: string
}

const CONTEXT = 2

/** What an edit changes, by its input: a patch, or texts and their replacements. */
export function changesOf({ name, input }: ToolSegment): readonly ChangedLine[] | undefined {
  if (kindNameOf(name) !== 'edit' || !isObject(input)) return undefined
  const patch = input.patch ?? input.diff
  if (typeof patch === 'string') return patchLines(patch)
  const edits = Array.isArray(input.edits) ? input.edits : [input]
  const lines = edits.flatMap(replacedLines)
  return lines.length === 0 ? undefined : lines
}

const REPLACED = ['old_string', 'old_str', 'new_string', 'new_str']

/** The part of an edit's input that its changes do not show, such as the file. */
export function besidesChanges(input: JsonObject): JsonObject {
  const patchKey = ['patch', 'diff'].find((key) => typeof input[key] === 'string')
  const { edits } = input
  const areAllShown = Array.isArray(edits) && edits.every(isShownWhole)
  const shownKeys =
    patchKey !== undefined ? [patchKey] : Array.isArray(edits) ? (areAllShown ? ['edits'] : []) : REPLACED
  return Object.fromEntries(Object.entries(input).filter(([key]) => !shownKeys.includes(key)))
}

function isShownWhole(edit: Json): boolean {
  return isObject(edit) && replacedLines(edit).length > 0 && Object.keys(edit).every((key) => REPLACED.includes(key))
}

export function changeCounts(lines: readonly ChangedLine[]): { readonly added: number; readonly removed: number } {
  const count = (sign: ChangedLine['sign']) => lines.filter((line) => line.sign === sign).length
  return { added: count('+'), removed: count('-') }
}

/** Every line is kept, names of files too: whoever approves a patch sees all of it. */
function patchLines(patch: string): readonly ChangedLine[] {
  const lines = patch.replace(/\n$/, '').split('\n')
  return lines.map((line, index) => {
    const sign = namesFile(lines, index) || namesFile(lines, index - 1) ? ' ' : signOf(line)
    return { sign, text: sign === ' ' ? line.replace(/^ /, '') : line.slice(1) }
  })
}

/** Whether `--- a` and `+++ b` stand here above a hunk. Anywhere else they are changes: `--- a` removes `-- a`. */
function namesFile(lines: readonly string[], index: number): boolean {
  const [from = '', to = '', hunk = ''] = lines.slice(Math.max(0, index), index + 3)
  return from.startsWith('--- ') && to.startsWith('+++ ') && hunk.startsWith('@@')
}

function signOf(line: string): ChangedLine['sign'] {
  return line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
}

/** Lines that both share at the start and at the end are not changes; a few of them are kept as context. */
function replacedLines(edit: Json): readonly ChangedLine[] {
  if (!isObject(edit)) return []
  const [before, after] = [edit.old_string ?? edit.old_str, edit.new_string ?? edit.new_str]
  if (typeof before !== 'string' || typeof after !== 'string') return []
  const [old, now] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let tail = 0
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const signed = (lines: readonly string[], sign: ChangedLine['sign']) => lines.map((text) => ({ sign, text }))
  return [
    ...signed(old.slice(Math.max(0, head - CONTEXT), head), ' '),
    ...signed(old.slice(head, old.length - tail), '-'),
    ...signed(now.slice(head, now.length - tail), '+'),
    ...signed(now.slice(now.length - tail, now.length - tail + CONTEXT), ' '),
  ]
}
