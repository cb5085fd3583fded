import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { componentFor } from '../src/components.ts'
import { type Components, EventView, type Labels, piecesOf, SegmentView, ThreadView } from '../src/index.ts'
import { eventOf, htmlOf, wordsOf } from './html.ts'
import { at, status, text, thought, tool } from './segments.ts'

const named = (name: string) => (props: { readonly segment: Segment; readonly fallback: ReactNode }) =>
  createElement('section', { className: name }, props.segment.seqs[0], props.fallback)

const drawn = (segments: readonly Segment[], components: Components, fields: Partial<ChatEvent> = {}) =>
  htmlOf(eventOf(segments, fields), { components })

const classesIn = (html: string) => [...html.matchAll(/class="(my-[^"]*)"/g)].map(([, name]) => name)

describe('a component of the host', () => {
  it('draws a tool by its whole name, by its bare name, or by the type; our card is its fallback', () => {
    const components: Components = {
      tool: { Bash: named('my-bash'), read_file: named('my-read'), mcp__files__read_file: named('my-mcp') },
      segment: { tool: named('my-tool') },
    }
    const tools = ['Bash', 'mcp__files__read_file', 'fs/read_file', 'Grep', 'constructor'].map((name, index) =>
      tool(index + 1, name),
    )
    const html = drawn(tools, components)
    expect(classesIn(html)).toEqual(['my-bash', 'my-mcp', 'my-read', 'my-tool', 'my-tool'])
    expect(html.split('mr-tool-done')).toHaveLength(6)
    expect(classesIn(drawn([tool(1, 'toString')], { tool: {}, segment: {} }))).toEqual([])
    expect(() =>
      piecesOf([tool(1, 42 as unknown as string)], { isOwn: (each) => !!componentFor(each, {}) }),
    ).not.toThrow()
  })

  it('draws a segment by its type, alone: neighbours with a component are never joined', () => {
    const components: Components = {
      segment: { text: named('my-text'), reasoning: named('my-thought'), status: named('my-status') },
      tool: { Read: named('my-read') },
    }
    const segments = [
      status(1, ['a'], 100),
      status(2, ['b'], 100),
      thought(3, 'c', 100),
      thought(4, 'd', 100),
      ...[5, 6, 7].map((seq) => tool(seq, 'Read')),
      text(8, 'e'),
    ]
    expect(classesIn(drawn(segments, components))).toEqual([
      ...['my-status', 'my-status', 'my-thought', 'my-thought', 'my-read', 'my-read', 'my-read', 'my-text'],
    ])
    const hidden = htmlOf(eventOf(segments), { components, hidesThoughts: true })
    expect(classesIn(hidden)).not.toContain('my-thought')
  })

  it('joins the tools around it as before', () => {
    const segments = ['Grep', 'Grep', 'Grep', 'Read', 'Grep', 'Grep', 'Grep'].map((name, index) =>
      tool(index + 1, name),
    )
    expect(drawn(segments, { tool: { Read: named('my-read') } }).split('mr-group')).toHaveLength(3)
  })

  it('draws code, with its language, and whether it is still being written', () => {
    const code: Components['code'] = (props) => createElement('pre', { className: 'my-code' }, JSON.stringify(props))
    const words = (content: string, state: 'live' | 'done') =>
      wordsOf(drawn([text(1, content, state)], { code }, { state }))
    expect(words('```ts\nlet a', 'live')).toBe('{"code":"let a","language":"ts","isLive":true}')
    expect(words('```ts\nlet a\n```\n\nAfter', 'live')).toContain('"isLive":false')
    expect(words('- x\n\n  ```sh\n  ls\n  ```', 'done')).toContain('{"code":"ls","language":"sh"}')
  })

  it('draws images that the page may load, and no other', () => {
    const image: Components['image'] = ({ url, name, size }) =>
      createElement('i', { className: 'my-image' }, `${url.slice(0, 15)} ${name} ${size}`)
    const file = (fields: object) => ({ type: 'file', fileId: 'f', mediaType: 'image/png', ...fields, ...at(1, 0) })
    const html = drawn([file({ bytes: 'iVBORw0KGgo=', filename: 'a.png' }) as Segment], { image })
    expect(wordsOf(html)).toBe('data:image/png; a.png 8 B')
    expect(classesIn(drawn([file({ url: 'https://a.example/a.png' }) as Segment], { image }))).toEqual([])
  })

  it('draws every link, and only safe addresses reach it', () => {
    const link: Components['link'] = ({ href, children, className }) =>
      createElement('a', { className: `my-link ${className ?? ''}`.trim(), href }, children)
    const source = { type: 'source', sourceId: 's', kind: 'url', url: 'https://c.example', ...at(2, 0) } as const
    const unsafe = { ...source, url: 'javascript:alert(1)', ...at(3, 0) } as const
    const content = '[a](https://a.example) [b](javascript:alert(1)) ![i](https://b.example/i.png)'
    const cited = { ...text(1, content), citations: [{ title: 't', url: 'https://d.example' }] }
    const html = drawn([cited, source, unsafe], { link })
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      ...[
        'https://a.example',
        'https://b.example/i.png',
        'https://d.example',
        'https://d.example',
        'https://c.example',
      ],
    ])
    expect(classesIn(html)).toEqual([
      'my-link',
      'my-link mr-chip',
      'my-link mr-cite',
      'my-link mr-chip',
      'my-link mr-chip',
    ])
  })

  it('draws every text: of the agent, of the user, thoughts and summaries', () => {
    const markdown: Components['markdown'] = (props) =>
      createElement('i', { className: 'my-md' }, JSON.stringify(props))
    const html = drawn([text(1, '**a**', 'live'), thought(2, '*b*')], { markdown }, { state: 'live' })
    expect(wordsOf(html)).toContain('{"text":"**a**","isLive":true}')
    expect(html.split('my-md')).toHaveLength(3)
    expect(classesIn(drawn([text(1, 'c')], { markdown }, { role: 'user' }))).toEqual(['my-md'])
  })

  it('is taken by each of the three views', () => {
    const components: Components = { segment: { text: named('my-text') } }
    const event = eventOf([text(1, 'a')])
    const [segment] = event.segments as [Segment]
    for (const element of [
      createElement(ThreadView, { events: [event], components }),
      createElement(EventView, { event, components }),
      createElement(SegmentView, { segment, components }),
    ]) {
      expect(classesIn(renderToStaticMarkup(element))).toEqual(['my-text'])
    }
  })
})

describe('the types', () => {
  it('refuse a segment type that does not exist, and a wrong label', () => {
    // @ts-expect-error there is no such segment
    const components: Components = { segment: { hologram: () => undefined } }
    // @ts-expect-error a count is needed
    const labels: Partial<Labels> = { lines: 'lines' }
    expect([components, labels]).toHaveLength(2)
  })
})
