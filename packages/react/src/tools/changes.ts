import type { ToolSegment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
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

export function changeCounts(lines: readonly ChangedLine[]): { readonly added: number; readonly removed: number } {
  const count = (sign: ChangedLine['sign']) => lines.filter((line) => line.sign === sign).length
  return { added: count('+'), removed: count('-') }
}

function patchLines(patch: string): readonly ChangedLine[] {
  return patch
    .split('\n')
    .filter((line) => !/^(?:\+\+\+|---|diff |index )/.test(line))
    .map((line) => {
      const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
      return { sign, text: sign === ' ' ? line.replace(/^ /, '') : line.slice(1) }
    })
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
