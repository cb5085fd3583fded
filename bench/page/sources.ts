/** The programs of the pages: the same work for each library, and what of it is the library's own. */

/** What every page does with its two components. Times are of the page's own clock. */
const harness = `
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
const box = document.getElementById('root')
const frame = () => new Promise(requestAnimationFrame)
globalThis.bench = {
  async markdown(chunks) {
    const root = createRoot(box)
    const times = []
    let text = ''
    for (const [index, chunk] of chunks.entries()) {
      text += chunk
      const begin = performance.now()
      flushSync(() => root.render(h(Markdown, { text, isLive: index < chunks.length - 1 })))
      void box.offsetHeight
      times.push(performance.now() - begin)
      await frame()
    }
    return { times, characters: box.textContent.length }
  },
  async thread(turns, last) {
    const begin = performance.now()
    createRoot(box).render(h(Thread, { turns }))
    while (!box.textContent.includes(last)) await frame()
    await frame()
    return { time: performance.now() - begin, nodes: document.querySelectorAll('*').length }
  },
}
`

const none = (name: string) => `const ${name} = undefined\n`

/** A turn is a question, and an answer of texts and calls in turns. */
const sources = {
  millrace: `
import { Markdown as Ours, Thread as OurThread } from '@millrace/react'
import '@millrace/react/styles.css'
const Markdown = ({ text, isLive }) => h('div', { className: 'millrace' }, h(Ours, { text, isLive }))
const ended = new Set(['run'])
function Thread({ turns }) {
  return h('div', { style: { height: '100vh' } }, h(OurThread, { events: eventsOf(turns), endedRuns: ended }))
}
function eventsOf(turns) {
  let seq = 0
  const next = () => [++seq, seq]
  const segmentOf = (part) => part.type === 'text'
    ? { type: 'text', id: 's' + seq, text: part.text, state: 'done', startedAt: 0, endedAt: 1, seqs: next() }
    : { type: 'tool', callId: 'c' + seq, name: part.name, input: part.input, inputText: JSON.stringify(part.input), output: part.output, state: 'done', startedAt: 0, endedAt: 1, seqs: next() }
  const eventOf = (role, parts) => {
    const segments = parts.map(segmentOf)
    return { id: role + seq, runId: 'run', role, state: 'done', startedAt: 0, segments, seqs: [segments[0].seqs[0], seq] }
  }
  return turns.flatMap(({ question, parts }) => [
    eventOf('user', [{ type: 'text', text: question }]),
    eventOf('assistant', parts),
  ])
}
`,
  streamdown: `
import { Streamdown } from 'streamdown'
const Markdown = ({ text, isLive }) => h(Streamdown, { isAnimating: isLive }, text)
${none('Thread')}`,
  'assistant-ui': `
import { useMemo } from 'react'
import { AssistantRuntimeProvider, MessagePrimitive, TextMessagePartProvider, ThreadPrimitive, useExternalStoreRuntime } from '@assistant-ui/react'
import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown'
import remarkGfm from 'remark-gfm'
const plugins = [remarkGfm]
const Text = () => h(MarkdownTextPrimitive, { smooth: false, remarkPlugins: plugins })
const Markdown = ({ text, isLive }) => h(TextMessagePartProvider, { text, isRunning: isLive }, h(Text))
const Call = ({ toolName, args }) => h('div', null, toolName, ' ', JSON.stringify(args))
const parts = { Text, tools: { Fallback: Call } }
const Message = () => h(MessagePrimitive.Root, null, h(MessagePrimitive.Parts, { components: parts }))
const components = { Message }
const keep = (message) => message
function Thread({ turns }) {
  const messages = useMemo(() => turns.flatMap(({ question, parts }, turn) => [
    { id: 'q' + turn, role: 'user', content: [{ type: 'text', text: question }] },
    { id: 'a' + turn, role: 'assistant', status: { type: 'complete', reason: 'stop' }, content: parts.map((part, index) => part.type === 'text' ? part
      : { type: 'tool-call', toolCallId: turn + '-' + index, toolName: part.name, args: part.input, argsText: JSON.stringify(part.input), result: part.output }) },
  ]), [turns])
  const runtime = useExternalStoreRuntime({ messages, convertMessage: keep, isRunning: false, onNew: async () => {} })
  return h(AssistantRuntimeProvider, { runtime }, h(ThreadPrimitive.Root, null,
    h(ThreadPrimitive.Viewport, { style: { height: '100vh', overflow: 'auto' } }, h(ThreadPrimitive.Messages, { components }))))
}
`,
} as const

export type Library = keyof typeof sources

export const libraries = Object.keys(sources) as readonly Library[]

/** Imports are hoisted: the harness may stand before the components. */
export const sourceOf = (library: Library): string => `${harness}${sources[library]}`
