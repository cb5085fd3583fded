import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import type { ToolSegment } from '../shapes.ts'
import { numberIn, objectsIn } from './fields.ts'
import type { FileEffect, FileText } from './file-effect.ts'
import type { LineCounts } from './line-diff.ts'
import { type Hunk, hunksOf } from './patches.ts'

/** What the result of an edit says besides its input. */
export interface EditResult {
  readonly before?: FileText
  readonly counts?: LineCounts
  /** The result says all of it: the input adds nothing. */
  readonly effects?: readonly FileEffect[]
}

/** The fields in which agents return the whole text before and after a change. */
const wholeTexts: readonly (readonly [before: string | undefined, after: string])[] = [
  ['originalFile', 'content'],
  ['original_file', 'updated_file'],
  ['originalContent', 'newContent'],
  ['old_content', 'new_content'],
  [undefined, 'afterFullFileContent'],
]

/** Flags of a file that did not exist before. */
const newFileFlags: readonly (readonly [key: string, value: Json])[] = [
  ['type', 'create'],
  ['isNewFile', true],
  ['is_file_update', false],
  ['prev_exist', false],
  ['exists', false],
]

/** The result of an edit or a write, from wherever its agent puts it. */
export function resultOf(segment: ToolSegment, path: string): EditResult | undefined {
  const diffs = diffsOf(segment.output)
  if (diffs.length > 0) return { effects: diffs.flatMap(ofDiff) }
  for (const result of resultsOf(segment)) {
    const found = structuredResult(result, path)
    if (found !== undefined) return found
  }
  return undefined
}

function resultsOf({ output, meta }: ToolSegment): readonly JsonObject[] {
  const { metadata, structured } = meta?.opencode ?? {}
  const nested = isJsonObject(output) ? [output.result, output.success].map(successOf) : []
  const values = [meta?.claude?.tool_use_result, metadata, structured, meta?.acp?.rawOutput, output, ...nested]
  return values.filter((value): value is JsonObject => isJsonObject(value))
}

const successOf = (value: Json | undefined) =>
  isJsonObject(value) && isJsonObject(value.success) ? value.success : value

function structuredResult(result: JsonObject, path: string): EditResult | undefined {
  const isNew = newFileFlags.some(([key, value]) => result[key] === value)
  const whole = wholeTexts.find(([, after]) => isText(result[after]))
  const original = whole?.[0] === undefined ? result.originalFile : result[whole[0]]
  const before: FileText = isNew ? 'absent' : isText(original) ? { text: original } : undefined
  const counts = countsIn(result)
  const facts = { ...(before !== undefined && { before }), ...(counts !== undefined && { counts }) }
  const hunks = structuredHunks(result)
  if (whole !== undefined) {
    return { effects: [{ ...facts, type: 'write', path: pathIn(result) ?? path, text: result[whole[1]] as string }] }
  }
  if (hunks.length > 0) return { effects: [{ ...facts, type: 'patch', path: pathIn(result) ?? path, hunks }] }
  return before === undefined && counts === undefined ? undefined : facts
}

const pathIn = ({ filePath, notebook_path }: JsonObject) =>
  isText(filePath) ? filePath : isText(notebook_path) ? notebook_path : undefined

/** Hunks with their line numbers, as Claude Code returns them. */
function structuredHunks(result: JsonObject): readonly Hunk[] {
  return objectsIn(result, 'structuredPatch').flatMap(({ oldStart, oldLines, lines }) => {
    const start = numberIn(oldStart)
    const [hunk] = Array.isArray(lines) ? hunksOf(lines.filter(isText)) : []
    if (hunk === undefined) return []
    return [{ ...hunk, ...(start !== undefined && { start: oldLines === 0 ? start - 1 : start }) }]
  })
}

function countsIn(result: JsonObject): LineCounts | undefined {
  const holder = isJsonObject(result.filediff) ? result.filediff : result
  const [added, removed] = [
    numberIn(holder.additions ?? holder.linesAdded),
    numberIn(holder.deletions ?? holder.linesRemoved),
  ]
  return added === undefined || removed === undefined ? undefined : { added, removed }
}

/** The diffs of the Agent Client Protocol: a path, a text before and a text after. */
function diffsOf(output: Json | undefined): readonly JsonObject[] {
  return Array.isArray(output) ? output.filter(isJsonObject).filter(({ type }) => type === 'diff') : []
}

/** The texts may be the whole file or a part of it: a part is found in the file, a whole is the file. */
function ofDiff({ path, oldText, newText }: JsonObject): readonly FileEffect[] {
  if (!isText(path) || !isText(newText)) return []
  if (!isText(oldText)) return [{ type: 'write', path, text: newText }]
  return [{ type: 'replace', path, replacements: [{ before: oldText, after: newText, isEverywhere: false }] }]
}
