import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getParser } from '@millrace/core/parse'
import { getSource } from '@millrace/core/source'
import { eventsOf } from '@millrace/testkit/read-recording'
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

/** Each helper in both languages, its arguments, and the line that it prints. */
const helpers = [
  ['emit_status', 'emitStatus', ['Hä?'], '{"type":"status","data":{"message":"Hä?"}}'],
  ['emit_text', 'emitText', ['a\nb'], '{"type":"text","data":{"content":"a\\nb"}}'],
  ['emit_think', 'emitThink', ['hm'], '{"type":"think","data":{"thought":"hm"}}'],
  [
    'emit_subagent_start',
    'emitSubagentStart',
    ['scout', 'look'],
    '{"type":"subagent_start","data":{"agent":"scout","task":"look"}}',
  ],
  [
    'emit_subagent_complete',
    'emitSubagentComplete',
    ['scout', 'seen'],
    '{"type":"subagent_complete","data":{"agent":"scout","summary":"seen"}}',
  ],
  [
    'emit_todo_create',
    'emitTodoCreate',
    [[{ content: 'x' }]],
    '{"type":"todo_create","data":{"items":[{"content":"x"}]}}',
  ],
  [
    'emit_todo_update',
    'emitTodoUpdate',
    [[{ content: 'x', status: 'completed' }]],
    '{"type":"todo_update","data":{"items":[{"content":"x","status":"completed"}]}}',
  ],
  ['emit_todo_done', 'emitTodoDone', ['x', 0], '{"type":"todo_done","data":{"item":"x","index":0}}'],
  [
    'emit_tool_use',
    'emitToolUse',
    ['dig', { deep: true }],
    '{"type":"tool_use","data":{"id":"call-1","name":"dig","input":{"deep":true}}}',
  ],
  [
    'emit_tool_result',
    'emitToolResult',
    ['call-1', 'dug'],
    '{"type":"tool_result","data":{"tool_use_id":"call-1","content":"dug"}}',
  ],
  ['emit', 'emit', ['thinking', { content: 'free' }], '{"type":"thinking","data":{"content":"free"}}'],
  ['emit_session', 'emitSession', ['s', 't'], '{"type":"session","data":{"id":"s","at":"t"}}'],
  ['emit_error', 'emitError', ['broken', 'E1'], '{"type":"error","data":{"message":"broken","code":"E1"}}'],
  ['emit_done', 'emitDone', [], '{"type":"done","data":{}}'],
] as const

/** Lone surrogates are valid in JSON as escapes only. */
const SURROGATE = '{"type":"text","data":{"content":"\\ud800"}}'

function fromPython(): string {
  const lines = helpers.map(([name, , values]) => `m.${name}(*json.loads(${JSON.stringify(JSON.stringify(values))}))`)
  const code = `import json, millrace_emit as m\nprint("stray")\n${lines.join('\n')}\nm.emit_text(chr(0xd800))\n`
  const env = { ...process.env, PYTHONPATH: pathOf('packages/agent') }
  return execFileSync('python3', ['-c', code], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] })
}

function fromNode(): string {
  const script = `import * as m from ${JSON.stringify(pathOf('packages/agent/src/emit.ts'))}
${helpers.map(([, name, values]) => `m.${name}(...${JSON.stringify(values)})`).join('\n')}
m.emitText(String.fromCharCode(0xd800))`
  return execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' })
}

/** JSON without its spaces, which mean nothing. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

it.each([
  ['Python', fromPython],
  ['TypeScript', fromNode],
])('S0-121, S0-122, S0-123: the emitters in %s print exactly these lines, and nothing else', (_language, printed) => {
  const text = printed()
  expect(linesOf(text)).toEqual([...helpers.map(([, , , line]) => line), SURROGATE].map((line) => JSON.parse(line)))
  expect(text).toContain('\\ud800')
})

it('S0-124: what an emitter prints is read alike, whichever framework its agent names', () => {
  const records = recordsOf(fromNode())
  const [claude, ...others] = ['claude', 'deepagents', 'langchain', 'agent-lines'].map((framework) =>
    eventsOf(getParser(framework), records),
  )
  for (const events of others) expect(events).toEqual(claude)
  expect(claude?.map(({ type }) => type)).toContain('subagent-end')
  expect(claude?.map(({ type }) => type)).not.toContain('raw')
})

function recordsOf(text: string) {
  const source = getSource('json-lines')()
  return [...source.feed(Buffer.from(text)), ...source.end()]
}
