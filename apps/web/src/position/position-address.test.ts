import { describe, expect, it } from 'vitest'
import { fieldsOfRoute, routeOfPosition } from './position-address.ts'
import { createPositionStore, type PositionFields } from './position-store.ts'

const written = (fields: PositionFields, lastRun = 'last') =>
  routeOfPosition('t1', createPositionStore(fields).snapshot(), lastRun)

describe('the position in the address', () => {
  it('names the run of its entries, unless it is the last one', () => {
    expect(fieldsOfRoute({ name: 'thread', threadId: 't1', seq: 4 }, 'last')).toEqual({
      selection: { runId: 'last', seqs: [4, 4] },
    })
    expect(fieldsOfRoute({ name: 'thread', threadId: 't1', seq: 4, at: 9, runId: 'one' }, 'last')).toEqual({
      selection: { runId: 'one', seqs: [4, 4] },
      at: { runId: 'one', seq: 9 },
    })
  })

  it('reads what it writes', () => {
    const all: PositionFields[] = [
      {},
      { view: 'timeline' },
      { pane: 'code', file: 'src/a b&#?.ts' },
      { selection: { runId: 'last', seqs: [4, 4] }, pane: 'terminal' },
      { selection: { runId: 'one', seqs: [4, 4] }, at: { runId: 'one', seq: 9 }, view: 'timeline' },
      { at: { runId: 'last', seq: 9 } },
      { selection: { runId: 'one', seqs: [4, 4], entry: 7 }, pane: 'lens' },
    ]
    for (const fields of all) expect(fieldsOfRoute(written(fields), 'last')).toEqual(fields)
  })

  it('leaves out a selection in another run than the moment’s: an address has one run', () => {
    const selection = { runId: 'one', seqs: [4, 8] } as const
    expect(written({ selection, at: { runId: 'two', seq: 9 } })).toEqual({
      name: 'thread',
      threadId: 't1',
      runId: 'two',
      at: 9,
    })
    expect(written({ selection })).toEqual({ name: 'thread', threadId: 't1', runId: 'one', seq: 4 })
  })
})
