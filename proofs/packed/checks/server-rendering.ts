import { assertEqual, type Check } from '../check.ts'

/** Folds a short run with every common segment and renders it without a browser. */
const program = `import { fold } from '@millrace/core/fold'
import { getParser } from '@millrace/core/parse'
import { createReader, createStamp } from '@millrace/core/read'
import { getSource } from '@millrace/core/source'
import { ThreadView } from '@millrace/react'
import { createElement, version } from 'react'
import { renderToString } from 'react-dom/server'

const lines = [
  { type: 'status', data: { message: 'Looking' } },
  { type: 'tool_use', data: { id: 't', name: 'Bash', input: { command: 'ls -l' } } },
  { type: 'tool_result', data: { tool_use_id: 't', content: 'bin' } },
  { type: 'text', data: { content: '<think>Two.</think>There are **two**: [here](https://example.com).' } },
  { type: 'done', data: {} },
]
const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line) + '\\n').join(''))
const source = getSource('json-lines')()
const reader = createReader(getParser('agent-lines'))
const stamp = createStamp()
const events = [...source.feed(bytes), ...source.end()].flatMap((record) => reader.push(record))
const { chatEvents } = fold([...events, ...reader.end()].map((event) => stamp(event, 0)))
const html = renderToString(createElement(ThreadView, { events: chatEvents }))
console.log(JSON.stringify({ version, html: html.replaceAll(/ ?(?:id|aria-controls|aria-labelledby)="[^"]*"/g, '') }))
`

export const serverRendering: Check = {
  title: 'rendered without a browser by React 18.3 and 19, to the same HTML',
  async run(bench) {
    const rendered: { version: string; html: string }[] = []
    for (const major of ['18.3', '19']) {
      const react = [`react@${major}`, `react-dom@${major}`]
      const consumer = await bench.install(`react-${major}`, ['@millrace/core', '@millrace/react'], react)
      consumer.write({ 'render.mjs': program })
      const { stdout, stderr } = await consumer.run('node', 'render.mjs')
      assertEqual(stderr, '', `stderr with React ${major}`)
      rendered.push(JSON.parse(stdout))
    }
    const [older, newer] = rendered
    if (!older?.html.includes('<strong>two</strong>')) throw new Error(`Not drawn: ${older?.html}`)
    assertEqual(older.html, newer?.html, 'the HTML of both versions')
    return `React ${older.version} and ${newer?.version}: ${older.html.length} characters of HTML`
  },
}
