import type { Json } from '../json.ts'

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

export function isPythonTool(name: string): boolean {
  return pythonTools.has(name.toLowerCase().replaceAll('-', '_'))
}

const codeFields = ['code', 'source', 'script', 'query'] as const

/** What a call was given: as JSON, or as text where it is none (yet). */
export interface CodeInput {
  readonly input?: Json
  readonly inputText?: string
}

/** The code of a call, as far as it has been written. */
export function codeOf({ input, inputText = '' }: CodeInput): string {
  if (input === undefined || input === null) return withoutFence(inputText)
  const code = codeIn(input)
  return code === undefined ? JSON.stringify(input, null, 2) : withoutFence(code)
}

/** Where the input has none of the usual fields, its only one is taken. */
function codeIn(input: Json): string | undefined {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const fields = new Map(Object.entries(input))
  const named = codeFields.map((field) => fields.get(field)).find((value) => typeof value === 'string')
  const [only] = fields.size === 1 ? fields.values() : []
  return named ?? (typeof only === 'string' ? only : undefined)
}

/** A fence that is still open, because the code is being written, is one too. */
function withoutFence(code: string): string {
  const opened = /^\s*```\w*\r?\n/.exec(code)
  if (opened === null) return code
  return code.slice(opened[0].length).replace(/\r?\n```\s*$/, '')
}
