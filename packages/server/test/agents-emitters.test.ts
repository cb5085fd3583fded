import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerApproval } from '../src/run/ask.ts'
import { createProcessBench, scriptAgent } from './process-bench.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const python = { command: ['python3', pathOf('examples/agent.py')], set: { PYTHONPATH: pathOf('packages/agent') } }
const node = { command: [process.execPath, pathOf('examples/agent.ts')] }

describe.each([
  ['Python', 'examples/agent.py', python],
  ['TypeScript', 'examples/agent.ts', node],
])('the example in %s', (_language, file, spec) => {
  it('has fewer than 40 lines', () => {
    expect(readFileSync(pathOf(file), 'utf8').split('\n').length).toBeLessThan(40)
  })

  it('asks, hears the answer, works in the folder of its thread, and ends', async () => {
    const bench = await createProcessBench(scriptAgent('', spec))
    await bench.start('r', 'The brook')
    await bench.seen('r', ({ type }) => type === 'approval')
    expect(await answerApproval(bench.runs, 'r', 'question-1', { state: 'approved' })).toBe('answered')
    const events = await bench.ended('r')
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
    expect(JSON.stringify(events)).toContain('The brook carries enough.')
    expect(readFileSync(join(bench.folder, 'work', 'thr', 'survey.md'), 'utf8')).toBe('The brook')
  })
})

it('S0-121, S0-122, S0-123: both emitters print the same lines', () => {
  const calls = [
    ['emit_status', 'emitStatus', ['Hä?']],
    ['emit_text', 'emitText', ['a\nb']],
    ['emit_think', 'emitThink', ['hm']],
    ['emit_subagent_start', 'emitSubagentStart', ['scout', 'look']],
    ['emit_subagent_complete', 'emitSubagentComplete', ['scout', 'seen']],
    ['emit_todo_create', 'emitTodoCreate', [[{ content: 'x' }]]],
    ['emit_todo_update', 'emitTodoUpdate', [[{ content: 'x', status: 'completed' }]]],
    ['emit_todo_done', 'emitTodoDone', ['x', 0]],
    ['emit_tool_use', 'emitToolUse', ['dig', { deep: true }]],
    ['emit_tool_result', 'emitToolResult', ['call-1', 'dug']],
    ['emit', 'emit', ['thinking', { content: 'free' }]],
    ['emit_session', 'emitSession', ['s', 't']],
    ['emit_error', 'emitError', ['broken', 'E1']],
    ['emit_done', 'emitDone', []],
  ] as const
  const lines = calls.map(([name, , values]) => `m.${name}(*json.loads(${JSON.stringify(JSON.stringify(values))}))`)
  const code = `import json, millrace_emit as m\nprint("stray")\n${lines.join('\n')}\nm.emit_text(chr(0xd800))\n`
  const fromPython = execFileSync('python3', ['-c', code], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: pathOf('packages/agent') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const script = `import * as m from ${JSON.stringify(pathOf('packages/agent/src/emit.ts'))}
${calls.map(([, name, values]) => `m.${name}(...${JSON.stringify(values)})`).join('\n')}
m.emitText(String.fromCharCode(0xd800))`
  const fromNode = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    encoding: 'utf8',
  })
  const parsed = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
  expect(parsed(fromPython)).toEqual(parsed(fromNode))
  expect(fromPython).toContain('\\ud800')
  expect(parsed(fromNode)).toHaveLength(calls.length + 1)
})
