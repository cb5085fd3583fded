import { it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { scenes } from './scenes/index.ts'
import { openTheatre } from './theatre.ts'

const play = openTheatre()

for (const [group, promises] of Object.entries(scenes))
  describeInBrowser(group, () => {
    for (const promise of Object.keys(promises)) it(promise, () => play(group, promise))
  })
