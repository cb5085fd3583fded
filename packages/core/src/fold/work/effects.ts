import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import { type ToolKind, toolKindOf } from '../../meaning/tool-kinds.ts'
import type { ToolSegment } from '../shapes.ts'
import { commandField, isSet, numberIn, objectsIn, own, textField } from './fields.ts'
import type { FileEffect, Replacement } from './file-effect.ts'
import { envelopeFiles, type FilePatch, type Hunk, hunksOf, unifiedFiles } from './patches.ts'
import { wholeTextRead } from './read-text.ts'
import { resultOf } from './results.ts'

const byCall = new WeakMap<ToolSegment, readonly FileEffect[]>()

/** What a call that succeeded does to files. Found once for each call: snapshots share the segments that do not change. */
export function effectsOf(segment: ToolSegment): readonly FileEffect[] {
  const before = byCall.get(segment)
  if (before !== undefined) return before
  const found = segment.state === 'done' && !isRehearsed(segment) ? plannedEffects(segment) : []
  byCall.set(segment, found)
  return found
}

/** What a call would do, whether or not it succeeds. */
export function plannedEffects(segment: ToolSegment): readonly FileEffect[] {
  return readers[toolKindOf(segment)]?.(segment).filter(({ path }) => path !== '') ?? []
}

/** Changes that are staged, or only tried, are not written. */
function isRehearsed({ input, meta }: ToolSegment): boolean {
  const result = meta?.claude?.tool_use_result
  const isTried = isJsonObject(input) && (input.dryRun === true || input.dry_run === true)
  return isTried || (isJsonObject(result) && result.staged === true)
}

type Reader = (segment: ToolSegment) => readonly FileEffect[]

const readers: { readonly [Kind in ToolKind]?: Reader } = {
  read: readOf,
  edit: changesOf,
  write: changesOf,
  delete: (segment) => pathsOf(segment.input).map((path) => ({ type: 'delete', path })),
  move: moveOf,
  run: (segment) => patchesOf(commandField(segment.input)),
}

function readOf(segment: ToolSegment): readonly FileEffect[] {
  const paths = pathsOf(segment.input)
  return paths.map((path) => ({ type: 'read', path, text: paths.length === 1 ? wholeTextRead(segment) : undefined }))
}

function moveOf({ input }: ToolSegment): readonly FileEffect[] {
  if (!isJsonObject(input)) return []
  const [path, to] = [input.source ?? input.from ?? input.old_path, input.destination ?? input.to ?? input.new_path]
  return isText(path) && isText(to) ? [{ type: 'move', path, to }] : []
}

function pathsOf(input: Json | undefined): readonly string[] {
  const path = textField(input, 'path')
  if (path !== undefined || !isJsonObject(input)) return path === undefined ? [] : [path]
  return [...texts(input.paths), ...texts(input.files), ...texts(input.include)]
}

const texts = (value: Json | undefined) => (Array.isArray(value) ? value.filter(isText) : [])

/** An edit or a write: its result says most, then a patch, then texts and their replacements, then a content. */
function changesOf(segment: ToolSegment): readonly FileEffect[] {
  const { input } = segment
  const operation = isJsonObject(input) && isJsonObject(input.operation) ? input.operation : input
  const listed = objectsIn(operation, 'changes')
  if (listed.length > 0) return listed.flatMap(changeOf)
  const path = textField(operation, 'path') ?? ''
  const result = resultOf(segment, path)
  if (result?.effects !== undefined) return result.effects
  const facts = {
    path,
    ...(result?.before !== undefined && { before: result.before }),
    ...(result?.counts !== undefined && { counts: result.counts }),
  }
  const found = inputEffects(operation, path).map((effect) => ({ ...effect, ...(effect.path === path && facts) }))
  if (found.length > 0) return found
  return path === '' ? [] : [{ ...facts, type: 'opaque', isNew: result?.before === 'absent' }]
}

function inputEffects(input: Json | undefined, path: string): readonly FileEffect[] {
  const patch = isText(input) ? input : textField(input, 'patch')
  const patches = patchesOf(patch)
  if (patches.length > 0) return patches
  if (!isJsonObject(input)) return []
  const type = textOf(input.type)
  if (type === 'delete_file') return [{ type: 'delete', path }]
  if (patch !== undefined && path !== '') return ofPatch(path, type === 'create_file' ? 'add' : 'update', patch)
  const line = numberIn(own(input, 'insert_line'))
  const inserted = textOf(own(input, 'new_str')) ?? textOf(own(input, 'insert_text'))
  if (line !== undefined && inserted !== undefined) return [{ type: 'patch', path, hunks: [insertion(line, inserted)] }]
  const replacements = replacementsOf(input)
  if (replacements.length > 0) return [{ type: 'replace', path, replacements }]
  const text = textField(input, 'content')
  return text === undefined ? [] : [{ type: 'write', path, text }]
}

const textOf = (value: Json | undefined) => (isText(value) ? value : undefined)

function insertion(line: number, text: string): Hunk {
  const lines = text.replace(/\n$/, '').split('\n')
  return { start: line, lines: lines.map((each) => ({ sign: '+', text: each })) }
}

function replacementsOf(input: JsonObject): readonly Replacement[] {
  const listed = objectsIn(input, 'edits', 'replacements')
  return (listed.length > 0 ? listed : [input]).flatMap((edit) => {
    const [before, after] = [textField(edit, 'before'), textField(edit, 'after')]
    if (before === undefined || after === undefined) return []
    return [{ before, after, isEverywhere: isSet(edit, 'all') }]
  })
}

/** The files of a patch that names them, also of one inside a command. */
function patchesOf(text: string | undefined): readonly FileEffect[] {
  if (text === undefined || !text.includes('*** Begin Patch')) return []
  return envelopeFiles(text).flatMap(ofFilePatch)
}

function ofFilePatch({ path, type, hunks, movedTo }: FilePatch): readonly FileEffect[] {
  const moves: readonly FileEffect[] = movedTo === undefined ? [] : [{ type: 'move', path, to: movedTo }]
  if (type === 'delete') return [{ type: 'delete', path }]
  if (type === 'add') return [{ type: 'write', path, before: 'absent', text: addedText(hunks) }]
  return hunks.length === 0 ? moves : [{ type: 'patch', path, hunks }, ...moves]
}

function addedText(hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ sign }) => sign === '+').map(({ text }) => text))
  return lines.map((line) => `${line}\n`).join('')
}

/** A patch of a file that is named beside it: unified, or hunks alone. */
function ofPatch(path: string, type: FilePatch['type'], patch: string): readonly FileEffect[] {
  if (type === 'add') return [{ type: 'write', path, before: 'absent', text: addedOrWhole(patch) }]
  const hunks = unifiedFiles(patch)[0]?.hunks ?? hunksOf(patch.split('\n'))
  return hunks.length === 0 ? [] : [{ type: 'patch', path, hunks }]
}

/** A created file comes as a patch of added lines, or as its content. */
function addedOrWhole(patch: string): string {
  const lines = patch.replace(/\n$/, '').split('\n')
  const isPatch = lines.every((line) => /^(?:\+|@@|\\ )/.test(line)) && lines.some((line) => line.startsWith('+'))
  return isPatch ? addedText(hunksOf(lines)) : patch
}

/** A change of a list, such as Codex's: its kind, and sometimes the patch or the content. */
function changeOf(change: JsonObject): readonly FileEffect[] {
  const path = textField(change, 'path') ?? ''
  const { kind } = change
  const type = isJsonObject(kind) ? textOf(kind.type) : textOf(kind)
  const movedTo = isJsonObject(kind) ? textOf(kind.movePath ?? kind.move_path) : undefined
  const diff = textOf(change.diff)?.replace(/\n\nMoved to: .*\s*$/, '')
  const moves: readonly FileEffect[] = movedTo === undefined ? [] : [{ type: 'move', path, to: movedTo }]
  if (type === 'delete') return [{ type: 'delete', path, ...(diff !== undefined && { before: { text: diff } }) }]
  if (diff === undefined) return [{ type: 'opaque', path, isNew: type === 'add' }, ...moves]
  return [...ofPatch(path, type === 'add' ? 'add' : 'update', diff), ...moves]
}
