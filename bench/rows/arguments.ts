import { createPartialJson } from '@millrace/core/fold/partial-json'
import { createHandJson } from '../hand-json.ts'
import { measure, tenTimes } from '../measure.ts'
import type { Row } from '../row.ts'
import { piecesOf, toolArguments } from '../streams.ts'

function works(size: number) {
  const pieces = piecesOf(toolArguments(size), 20)
  return {
    floor() {
      const parser = createHandJson()
      let value: unknown
      for (const piece of pieces) value = parser.push(piece)
      return value
    },
    ours() {
      const parser = createPartialJson()
      let value: unknown
      for (const piece of pieces) {
        parser.push(piece)
        value = parser.value()
      }
      return value
    },
  }
}

export const toolInput: Row = {
  title: 'tool arguments in 20-character deltas, a live value after each',
  run() {
    const small = works(20_000)
    const large = works(200_000)
    const times = measure(
      {
        floor: tenTimes(small.floor),
        ours: tenTimes(small.ours),
        largeFloor: large.floor,
        largeOurs: large.ours,
      },
      21,
    )
    return [
      { row: '2', what: '20 KB', value: times.ours / times.floor, bound: 3 },
      { row: '2', what: '200 KB', value: times.largeOurs / times.largeFloor, bound: 3 },
      {
        row: '2',
        what: 'growth from 20 KB to 200 KB',
        value: (10 * times.largeOurs) / times.ours,
        bound: 12,
        isHard: true,
      },
    ]
  },
}
