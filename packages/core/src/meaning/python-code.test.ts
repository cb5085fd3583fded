import { describe, expect, it } from 'vitest'
import { isPythonTool } from './python-code.ts'

describe('a tool that runs Python', () => {
  it.each(['python', 'Python', 'python-repl-ast', 'EXECUTE-PYTHON-CODE', 'run_python-code', 'code-interpreter'])(
    'is known by its name: %s',
    (name) => {
      expect(isPythonTool(name)).toBe(true)
    },
  )

  it.each(['', 'pythonista', 'python code', 'bash', 'execute_python_code_'])('is not: %s', (name) => {
    expect(isPythonTool(name)).toBe(false)
  })
})
