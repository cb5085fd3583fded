// An agent in TypeScript. Try it: npx millrace serve --agent 'survey=node examples/agent.ts'
import { writeFileSync } from 'node:fs'
import { ask, emitDone, emitStatus, emitText, emitToolResult, emitToolUse, readInput } from '@millrace/agent/emit'

const task = await readInput()
emitStatus('Reading the gauge')
const call = emitToolUse('read_gauge', { stream: 'Mill Brook' })
emitToolResult(call, '0.42 m³/s')
const { state } = await ask('May I write survey.md?')
if (state === 'approved') {
  writeFileSync('survey.md', task.text)
  emitText('The survey is written. ')
}
emitText('The brook carries enough.')
emitDone()
process.exit(0)
