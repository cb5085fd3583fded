import { describe, expect, it } from 'vitest'
import { addressOf, type Route, routeOf } from './routes.ts'

const at = (address: string) => routeOf(new URL(address, 'http://127.0.0.1'))

describe('the routes', () => {
  it('reads the start, a thread and an entry of a thread', () => {
    expect(at('/')).toEqual({ name: 'start' })
    expect(at('/t/thread_1')).toEqual({ name: 'thread', threadId: 'thread_1' })
    expect(at('/t/thread_1#seq-42')).toEqual({ name: 'thread', threadId: 'thread_1', seq: 42 })
    expect(at('/t/thread_1?run=run_2#seq-7')).toEqual({ name: 'thread', threadId: 'thread_1', runId: 'run_2', seq: 7 })
  })

  it('reads the agents, and an agent that is chosen on a page', () => {
    expect(at('/agents')).toEqual({ name: 'agents' })
    expect(at('/agents/claude-code')).toEqual({ name: 'agents', agent: 'claude-code' })
    expect(at('/?agent=codex')).toEqual({ name: 'start', agent: 'codex' })
    expect(at('/agents/a/b').name).toBe('unknown')
  })

  it('does not read another hash as an entry', () => {
    for (const hash of ['#seq-', '#seq-x', '#seq-1x', '#42']) expect(at(`/t/a${hash}`)).not.toHaveProperty('seq')
  })

  it('reads the pane, the file and the moment that are shown, and leaves out what is none', () => {
    expect(at('/t/a?pane=code&file=src%2Fa.ts&at=742#seq-708')).toEqual({
      name: 'thread',
      threadId: 'a',
      pane: 'code',
      file: 'src/a.ts',
      at: 742,
      seq: 708,
    })
    expect(at('/t/a?pane=constructor&at=-1&view=chat')).toEqual({ name: 'thread', threadId: 'a' })
  })

  it('recognises an unknown address', () => {
    for (const path of ['/threads', '/t/', '/t/a/b', '/t/%E0%A4%A']) expect(at(path).name).toBe('unknown')
  })

  it('writes the address that it reads, whatever the ids are', () => {
    const routes: Route[] = [
      { name: 'start' },
      { name: 'start', agent: 'a b&c' },
      { name: 'agents' },
      { name: 'agents', agent: 'a b/ü?#%' },
      { name: 'thread', threadId: 'a b/ü?#%' },
      { name: 'thread', threadId: '__proto__', runId: 'r&=1', seq: 12 },
      { name: 'thread', threadId: 't1', view: 'timeline', pane: 'code', file: 'a b/ü?#%&=.ts', at: 9, seq: 12 },
    ]
    for (const route of routes) expect(at(addressOf(route))).toEqual(route)
  })
})
