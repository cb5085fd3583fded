import { wireFacts } from './facts.ts'
import type { Viewer } from './watch-all.ts'

/** A viewer for each wire that has clients of its own, over their transport. Some are cut and come back. */
export const viewers: readonly Viewer[] = Object.entries(wireFacts).flatMap(([wire, { viewer }]) =>
  viewer === undefined ? [] : [{ wire, ...viewer }],
)
