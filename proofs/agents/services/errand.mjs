// What every service does for a text, whichever protocol it speaks: `errand.ts` beside the folder has what is expected.

import { setTimeout as sleep } from 'node:timers/promises'

/** The deltas of the answer, or the error. `wait` never ends by itself. */
export function errandOf(text, turn) {
  if (text.startsWith('fail')) return { error: 'The gauge is broken.' }
  if (text.startsWith('wait')) return { deltas: endless() }
  return { deltas: [`Turn ${turn}: `, text.slice(0, 3), text.slice(3)] }
}

function* endless() {
  for (;;) yield 'Waiting. '
}

/** Between two deltas. */
export const pause = () => sleep(40)
