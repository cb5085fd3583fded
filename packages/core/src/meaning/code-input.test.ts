import { describe, expect, it } from 'vitest'
import { isPythonTool, languageOf, toolCodeOf } from './code-input.ts'

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

describe('an input that is code', () => {
  it.each([
    ['python_interpreter', 'print(1)', 'python', 'print(1)'],
    ['python_interpreter', { code: 'print(1)' }, 'python', 'print(1)'],
    ['mcp__box__run_python', { source: 'print(1)' }, 'python', 'print(1)'],
    ['Bash', { command: 'ls', description: 'List', timeout: 5 }, 'bash', 'ls'],
    ['shell', { command: ['bash', '-lc', 'ls | wc'] }, 'bash', 'ls | wc'],
    ['shell', { command: ['ls', '-l'] }, 'bash', 'ls -l'],
    ['run', { command: 'ls' }, 'bash', 'ls'],
    ['sandbox', { code: 'let a = 1', language: 'TypeScript' }, 'typescript', 'let a = 1'],
    ['sandbox', { script: 'go()' }, 'text', 'go()'],
    ['execute_sql', { query: 'select 1' }, 'sql', 'select 1'],
    ['python', '```python\nprint(1)\n```', 'python', 'print(1)'],
  ])('S2-42: has a language and its code: %s %j', (name, input, language, code) => {
    expect(toolCodeOf({ name, input })).toMatchObject({ language, code })
  })

  it.each([
    ['search', 'tides of Millport'],
    ['str_replace_based_edit_tool', { command: 'view', path: '/a' }],
    ['country', { code: 'NO', name: 'Norway' }],
    ['sandbox', { code: 5 }],
    ['python', {}],
    ['python', [1]],
    ['bash', { command: [] }],
    ['bash', { command: ['ls', 5] }],
  ])('is not: %s %j', (name, input) => {
    expect(languageOf({ name, input })).toBeUndefined()
  })

  it('is not an input that is not there yet', () => {
    expect(languageOf({ name: 'python' })).toBeUndefined()
  })

  it('names what the call says besides its code', () => {
    expect(toolCodeOf({ name: 'Bash', input: { command: 'ls', timeout: 5 } })?.others).toEqual({ timeout: 5 })
    expect(toolCodeOf({ name: 'box', input: { code: 'a', language: 'c' } })?.others).toBeUndefined()
    expect(toolCodeOf({ name: 'python', input: { code: 'a', language: 3 } })).toMatchObject({
      language: 'python',
      others: { language: 3 },
    })
  })
})
