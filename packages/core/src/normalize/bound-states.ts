import { createPatchedValues, MAX_STATE } from '../data/patched-values.ts'
import type { CreatePass } from './pass.ts'

/** The number of channels kept for later patches; the fold keeps all of them. */
const MAX_CHANNELS = 32

/** Keeps a patch as `raw` if it would make a state larger than later stages can hold or write. */
export const boundStates: CreatePass = (emit) => {
  const channels = createPatchedValues({ maxSize: MAX_STATE, maxValues: MAX_CHANNELS })
  return {
    push(event) {
      if (event.type !== 'state') emit(event)
      else if (event.op === 'snapshot') {
        channels.set(event.channel, event.value)
        emit(event)
      } else if (channels.patch(event.channel, event.value)) emit(event)
      else {
        const { type, channel, op, value, ...common } = event
        emit({ ...common, type: 'raw', value: { type, channel, op, value }, reason: 'unmapped' })
      }
    },
    end() {},
  }
}
