// Loaded into a command by `--import`, with `--expose-gc`: measures by how much the live heap grows while the command
// works, and writes that number of bytes to the file that HEAP_REPORT names. Only what a full collection leaves is
// counted, so the figure does not depend on how busy the machine is.

import { writeFileSync } from 'node:fs'

const EVERY_MS = 50
/** In this time the command loads its modules and compiles its hot functions, which is not growth. */
const WARM_UP_MS = 500

const began = performance.now()
let first
let most = 0

function look() {
  globalThis.gc()
  const { heapUsed } = process.memoryUsage()
  if (performance.now() - began < WARM_UP_MS) return
  first ??= heapUsed
  most = Math.max(most, heapUsed - first)
}

setInterval(look, EVERY_MS).unref()
process.on('exit', () => writeFileSync(process.env.HEAP_REPORT, first === undefined ? 'too short' : String(most)))
