import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import { MAX_STATE } from '../data/patched-values.ts'
import type { StreamEvent } from '../events.ts'
import { boundStates } from './bound-states.ts'

const snapshot = (value: string): StreamEvent => ({ type: 'state', channel: 'plan', op: 'snapshot', value: { value } })

describe('bound states', () => {
  it('judge a patch by the last snapshot, whichever came before', () => {
    const large = 'x'.repeat(MAX_STATE - 100)
    const patch: StreamEvent = {
      type: 'state',
      channel: 'plan',
      op: 'patch',
      value: [{ op: 'add', path: '/more', value: 'y'.repeat(1_000) }],
    }
    const types = (...events: StreamEvent[]) => runPass(boundStates, events).map(({ type }) => type)
    expect(types(snapshot(large), snapshot(''), patch)).toEqual(['state', 'state', 'state'])
    expect(types(snapshot(''), snapshot(large), patch)).toEqual(['state', 'state', 'raw'])
  })
})
