// Opens many streams and reads them to their ends.

import { Agent, get } from 'node:http'
import type { Told, Watching } from './words.ts'

const tell = (told: Told) => process.send?.(told)

process.on('message', ({ port, streams }: Watching) => {
  let open = 0
  let ended = 0
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  for (let nth = 0; nth < streams; nth++) {
    get({ port, host: '127.0.0.1', agent }, (response) => {
      open++
      if (open === streams) tell({ all: 'open' })
      response.resume().on('end', () => {
        ended++
        if (ended === streams) tell({ all: 'ended' })
      })
    })
  }
})
