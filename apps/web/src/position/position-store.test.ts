import { describe, expect, it } from 'vitest'
import { createPositionStore, type Selection } from './position-store.ts'

const piece = (first: number, callId?: string): Selection => ({
  runId: 'one',
  seqs: [first, first + 4],
  ...(callId !== undefined && { callId }),
})

describe('the position of a thread', () => {
  it('follows the newest piece until a piece, a moment or a file is chosen', () => {
    for (const choose of [
      (store: ReturnType<typeof createPositionStore>) => store.select(piece(3)),
      (store: ReturnType<typeof createPositionStore>) => store.travel({ runId: 'one', seq: 7 }),
      (store: ReturnType<typeof createPositionStore>) => store.openFile('a.ts'),
      (store: ReturnType<typeof createPositionStore>) => store.follow(false),
    ]) {
      const store = createPositionStore()
      expect(store.snapshot()).toEqual({ view: 'chat', isFollowing: true })
      choose(store)
      expect(store.snapshot().isFollowing).toBe(false)
    }
  })

  it('leaves the piece, the moment and the file when it follows again, and keeps the pane', () => {
    const store = createPositionStore({ selection: piece(3), at: { runId: 'one', seq: 7 }, file: 'a.ts', pane: 'code' })
    expect(store.snapshot().isFollowing).toBe(false)
    store.follow(true)
    expect(store.snapshot()).toEqual({ view: 'chat', pane: 'code', isFollowing: true })
  })

  it('shows the file of a newly selected piece, and keeps an opened file when nothing is selected', () => {
    const store = createPositionStore({ selection: piece(3), file: 'a.ts' })
    store.select(undefined)
    expect(store.snapshot()).toEqual({ view: 'chat', file: 'a.ts', isFollowing: false })
    store.select(piece(9))
    expect(store.snapshot()).toEqual({ view: 'chat', selection: piece(9), isFollowing: false })
  })

  it('keeps the selection while the moment changes, and returns to the present without following', () => {
    const store = createPositionStore({ selection: piece(3) })
    store.travel({ runId: 'one', seq: 7 })
    store.travel(undefined)
    expect(store.snapshot()).toEqual({ view: 'chat', selection: piece(3), isFollowing: false })
  })

  it('is the same object, and calls nobody, until something is another value', () => {
    const store = createPositionStore({ selection: piece(3, 'call'), at: { runId: 'one', seq: 7 }, pane: 'code' })
    const before = store.snapshot()
    let calls = 0
    const leave = store.subscribe(() => calls++)
    store.select({ ...piece(3, 'call') })
    store.travel({ runId: 'one', seq: 7 })
    store.hover(undefined)
    store.openPane('code')
    store.show('chat')
    expect([store.snapshot() === before, calls]).toEqual([true, 0])
    store.hover(piece(3))
    store.hover(piece(3, 'call'))
    store.travel({ runId: 'two', seq: 7 })
    expect(calls).toBe(3)
    leave()
    store.openPane(undefined)
    expect(calls).toBe(3)
  })

  it('keeps what is hovered when an address is followed, and nothing else', () => {
    const store = createPositionStore({ selection: piece(3), pane: 'code' })
    store.hover(piece(5))
    store.restore({ pane: 'files' })
    expect(store.snapshot()).toEqual({ view: 'chat', pane: 'files', hovered: piece(5), isFollowing: true })
  })
})
