import { type ChangedLine, linesOf } from './line-diff.ts'

/** A part of a file that changes. */
export interface Hunk {
  /** The line at which it begins, counted from 1, in the file before the change; undefined: it is found by its lines. */
  readonly start?: number
  /** A line above it, such as the head of a function. */
  readonly context?: string
  readonly lines: readonly ChangedLine[]
}

/** What a patch does to one file. */
export interface FilePatch {
  readonly path: string
  readonly type: 'add' | 'update' | 'delete'
  readonly movedTo?: string
  readonly hunks: readonly Hunk[]
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const types: { readonly [word: string]: FilePatch['type'] } = { Add: 'add', Update: 'update', Delete: 'delete' }

/** The files of a patch between `*** Begin Patch` and `*** End Patch`. */
export function envelopeFiles(patch: string): readonly FilePatch[] {
  const begin = patch.indexOf('*** Begin Patch')
  if (begin === -1) return []
  const files: { head: RegExpExecArray; lines: string[] }[] = []
  for (const line of linesOf(patch.slice(begin)).slice(1)) {
    if (line === '*** End Patch') break
    const head = FILE.exec(line)
    if (head !== null) files.push({ head, lines: [] })
    else files.at(-1)?.lines.push(line)
  }
  return files.map(({ head: [, word = '', path = ''], lines }) => {
    const movedTo = lines.map((line) => /^\*\*\* Move to: (.+)$/.exec(line)?.[1]).find((to) => to !== undefined)
    return { path, type: types[word] ?? 'update', hunks: hunksOf(lines), ...(movedTo !== undefined && { movedTo }) }
  })
}

/** The files of a unified diff. A diff that names none has one, without a path. */
export function unifiedFiles(diff: string): readonly FilePatch[] {
  const files: { path: string; type: FilePatch['type']; lines: string[] }[] = []
  const lines = linesOf(diff)
  for (let at = 0; at < lines.length; at++) {
    const [from = '', to = ''] = [lines[at], lines[at + 1]]
    if (from.startsWith('--- ') && to.startsWith('+++ ')) {
      const [before, after] = [pathOf(from), pathOf(to)]
      const type = before === '/dev/null' ? 'add' : after === '/dev/null' ? 'delete' : 'update'
      files.push({ path: type === 'delete' ? before : after, type, lines: [] })
      at++
    } else if (!/^(?:diff --git|index |new file|deleted file|similarity|rename |=====)/.test(from)) {
      if (files.length === 0) files.push({ path: '', type: 'update', lines: [] })
      files.at(-1)?.lines.push(from)
    }
  }
  return files.map(({ path, type, lines: body }) => ({ path, type, hunks: hunksOf(body) }))
}

const pathOf = (line: string) =>
  line
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/^[ab]\//, '')

const HEAD = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/

/** The hunks of one file: by `@@` with or without line numbers. Lines without a sign are left out. */
export function hunksOf(lines: readonly string[]): readonly Hunk[] {
  const hunks: { start?: number; context?: string; lines: ChangedLine[] }[] = []
  for (const line of lines) {
    if (line.startsWith('@@')) {
      const [, start, context = line.replace(/^@@ ?/, '').replace(/ ?@@$/, '')] = HEAD.exec(line) ?? []
      hunks.push({ ...(start !== undefined && { start: Number(start) }), ...(context && { context }), lines: [] })
      continue
    }
    const sign = line === '' ? ' ' : line[0]
    if (sign !== ' ' && sign !== '+' && sign !== '-') continue
    if (hunks.length === 0) hunks.push({ lines: [] })
    hunks.at(-1)?.lines.push({ sign, text: line.slice(1) })
  }
  return hunks.filter((hunk) => hunk.lines.length > 0)
}

const comparisons: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
]

/** The lines after all hunks; undefined if one of them does not apply. */
export function applyHunks(before: readonly string[], hunks: readonly Hunk[]): readonly string[] | undefined {
  const after: string[] = []
  let at = 0
  for (const hunk of hunks) {
    const old = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text)
    const start = startOf(before, hunk, old, at)
    if (start === undefined) return undefined
    after.push(...before.slice(at, start))
    let row = start
    for (const { sign, text } of hunk.lines) {
      // The file's own line is kept: a patch may have been written without its trailing spaces.
      if (sign === ' ') after.push(before[row] ?? text)
      if (sign === '+') after.push(text)
      else row++
    }
    at = row
  }
  return [...after, ...before.slice(at)]
}

function startOf(before: readonly string[], hunk: Hunk, old: readonly string[], from: number): number | undefined {
  const standsAt = (start: number, as: (line: string) => string) =>
    start >= from && old.every((line, index) => as(line) === as(before[start + index] ?? '\0'))
  if (hunk.start !== undefined) {
    // An insertion without context names the line after which it stands.
    const stated = old.length === 0 ? hunk.start : hunk.start - 1
    if (comparisons.some((as) => standsAt(Math.max(0, stated), as))) return Math.max(0, stated)
  }
  const below =
    hunk.context === undefined
      ? from
      : Math.max(from, before.findIndex((line) => line.trim() === hunk.context?.trim()) + 1)
  if (old.length === 0)
    return hunk.start === undefined ? (hunk.context === undefined ? before.length : below) : undefined
  for (const as of comparisons) {
    for (let start = below; start + old.length <= before.length; start++) if (standsAt(start, as)) return start
  }
  return undefined
}
