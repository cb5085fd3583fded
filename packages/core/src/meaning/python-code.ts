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

/** The input of a call: as JSON, or as text if it is not (yet) JSON. */
export interface CodeInput {
  readonly input?: Json
  readonly inputText?: string
}

/** The code of a call, as far as it was streamed. */
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
