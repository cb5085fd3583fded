import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'

/** The names under which agents send one fact, the most usual first. */
const aliases = {
  path: 'file_path filePath path notebook_path absolute_path target_file filename file uri file_name fileName'.split(
    ' ',
  ),
  before: 'old_string oldString old_str oldText old_text search before'.split(' '),
  after: 'new_string newString new_str newText new_text replace after'.split(' '),
  content: 'content file_text fileText contents new_source'.split(' '),
  patch: 'patch diff patchText input applyPatch'.split(' '),
  command: 'command cmd commands code script'.split(' '),
  folder: 'workdir cwd dir_path workingDirectory working_directory'.split(' '),
  all: 'replace_all replaceAll allow_multiple all replace-all'.split(' '),
  session: 'session_id bash_id shell_id task_id shellId terminal_id'.split(' '),
} as const

export type FieldName = keyof typeof aliases

/** The first of the fields that is a text. */
export function textField(input: Json | undefined, name: FieldName): string | undefined {
  if (!isJsonObject(input)) return undefined
  return aliases[name].map((key) => own(input, key)).find(isText)
}

export function isSet(input: JsonObject, name: FieldName): boolean {
  return aliases[name].some((key) => own(input, key) === true)
}

/** Objects in a list of one of these fields. */
export function objectsIn(input: Json | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  if (!isJsonObject(input)) return []
  const list = keys.map((key) => own(input, key)).find((value): value is readonly Json[] => Array.isArray(value))
  return (list ?? []).filter(isJsonObject)
}

export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

/** The command of a call: a text, or a list of words, of which a shell that is called by its name is left out. */
export function commandField(input: Json | undefined): string | undefined {
  if (isText(input)) return withoutShell(input)
  if (!isJsonObject(input)) return undefined
  for (const key of aliases.command) {
    const value = own(input, key)
    if (isText(value)) return withoutShell(value)
    if (Array.isArray(value) && value.length > 0 && value.every(isText)) return withoutShell(wordsText(key, value))
  }
  return undefined
}

/** `commands` are several; `command` is one, as words. */
function wordsText(key: string, words: readonly string[]): string {
  if (key === 'commands') return words.join('\n')
  const [, flag = '', script = ''] = words
  return words.length === 3 && /^-l?c$/.test(flag) ? script : words.join(' ')
}

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:bash|zsh|sh) -l?c (?=\S)/
/** A part of a shell's word: in single quotes, in double quotes, or bare. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^'"]+)/g

/** `ls` of `/bin/bash -lc ls`. */
function withoutShell(command: string): string {
  const trimmed = command.trim()
  const head = SHELL.exec(trimmed)
  if (head === null) return command
  const script = trimmed.slice(head[0].length)
  if (!/^['"]/.test(script)) return script
  return script.replace(PART, (_part, single?: string, double?: string, bare?: string) => {
    return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? bare?.replace(/\\(.)/g, '$1') ?? ''
  })
}
