import { isJsonObject, isText, type Json, type JsonObject } from '../json.ts'

/** Names under which frameworks and providers offer a tool that runs Python. */
const pythonTools: ReadonlySet<string> = new Set([
  'python',
  'python_interpreter',
  'python_repl',
  'python_repl_ast',
  'python_exec',
  'ipython',
  'execute_python',
  'execute_python_code',
  'run_python',
  'run_python_code',
  'code_interpreter',
  'code_execution',
])

/** The languages of other tools whose names say what they run, in lower case without punctuation. */
const toolLanguages: ReadonlyMap<string, string> = new Map([
  ...['bash', 'sh', 'zsh', 'shell', 'terminal', 'exec', 'execcommand', 'executecommand', 'runcommand', 'localshell']
    .concat(['runshellcommand', 'shellcommand', 'commandexecution', 'bashcodeexecution', 'runterminalcmd'])
    .map((name) => [name, 'bash'] as const),
  ['powershell', 'powershell'],
  ...['javascript', 'js', 'node', 'runjavascript', 'executejavascript'].map((name) => [name, 'javascript'] as const),
  ...['typescript', 'runtypescript', 'deno'].map((name) => [name, 'typescript'] as const),
  ...['sql', 'runsql', 'executesql', 'sqlquery', 'querysql'].map((name) => [name, 'sql'] as const),
])

export function isPythonTool(name: string): boolean {
  return pythonTools.has(name.toLowerCase().replaceAll('-', '_'))
}

const codeFields = ['code', 'source', 'script', 'query'] as const

/** The input of a call: as JSON, or as text if it is not (yet) JSON. */
export interface CodeInput {
  readonly input?: Json
  readonly inputText?: string
}

/** The code of a call of Python, as far as it was streamed. */
export function codeOf({ input, inputText = '' }: CodeInput): string {
  if (input === undefined || input === null) return withoutFence(inputText)
  const code = codeIn(input)
  return code === undefined ? JSON.stringify(input, null, 2) : withoutFence(code)
}

/** If the input has none of the usual fields but a single field, that field is the code. */
function codeIn(input: Json): string | undefined {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const fields = new Map(Object.entries(input))
  const named = codeFields.map((field) => fields.get(field)).find((value) => typeof value === 'string')
  const [only] = fields.size === 1 ? fields.values() : []
  return named ?? (typeof only === 'string' ? only : undefined)
}

/** Removes the fence, also one that is still open because the code is being written. */
function withoutFence(code: string): string {
  const opened = /^\s*```\w*\r?\n/.exec(code)
  if (opened === null) return code
  return code.slice(opened[0].length).replace(/\r?\n```\s*$/, '')
}

/** An input that is code, as far as it was streamed. */
export interface ToolCode {
  readonly code: string
  /** `text` if it is not known. */
  readonly language: string
  /** What the call says besides its code; undefined if there is nothing else. */
  readonly others: JsonObject | undefined
}

/** In which fields tools take code, with the language that the field implies. */
const inputFields: readonly (readonly [field: string, language: string])[] = [
  ['code', 'text'],
  ['command', 'bash'],
  ['script', 'text'],
]
/** Further fields of tools whose names say that they run code. */
const namedFields = [...inputFields.map(([field]) => field), 'cmd', 'source', 'query']

/** What a call of an unknown tool may say beside its code. A field of another name means that it is no program. */
const besideCode: ReadonlySet<string> = new Set(
  [
    'description',
    'title',
    'explanation',
    'language',
    'timeout',
    'timeout_ms',
    'cwd',
    'workdir',
    'working_directory',
  ].concat(['run_in_background', 'is_background', 'isBackground', 'env', 'shell']),
)

/** The code that an input consists of, or holds in a field; undefined if the input is no code. */
export function toolCodeOf({ name, input }: { readonly name: string; readonly input?: Json }): ToolCode | undefined {
  const byName = languageOfTool(name)
  if (typeof input === 'string') {
    return byName === undefined ? undefined : { code: withoutFence(input), language: byName, others: undefined }
  }
  if (!isJsonObject(input)) return undefined
  if (byName !== undefined) return codeInFields(input, namedFields, byName)
  const isProgram = (field: string) => Object.keys(input).every((other) => other === field || besideCode.has(other))
  const [field, language] = inputFields.find(([each]) => codeText(input, each) !== undefined) ?? []
  return field === undefined || language === undefined || !isProgram(field)
    ? undefined
    : codeInFields(input, [field], language)
}

/** The language of an input that is code; undefined for any other. */
export function languageOf(call: { readonly name: string; readonly input?: Json }): string | undefined {
  return toolCodeOf(call)?.language
}

function codeInFields(input: JsonObject, fields: readonly string[], implied: string): ToolCode | undefined {
  const field = fields.find((each) => codeText(input, each) !== undefined)
  if (field === undefined) return undefined
  const { [field]: _code, language, ...rest } = input
  const others = { ...rest, ...(language !== undefined && !isText(language) && { language }) }
  return {
    code: withoutFence(codeText(input, field) ?? ''),
    language: isText(language) && language !== '' ? language.toLowerCase() : implied,
    others: Object.keys(others).length === 0 ? undefined : others,
  }
}

/** A command may be a list of words; a list that runs a shell holds the command as its last word. */
function codeText(input: JsonObject, field: string): string | undefined {
  const value = Object.hasOwn(input, field) ? input[field] : undefined
  if (isText(value)) return value
  if (!Array.isArray(value) || value.length === 0 || !value.every(isText)) return undefined
  return value.length === 3 && /^-l?c$/.test(value[1] ?? '') ? value[2] : value.join(' ')
}

function languageOfTool(name: string): string | undefined {
  const bare = name.replace(/^.*(?:__|[./:])/s, '')
  return isPythonTool(bare) ? 'python' : toolLanguages.get(bare.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
