#!/usr/bin/env node
// Plain JavaScript, and nothing that an older Node lacks, so that it gets as far as this sentence.
import module from 'node:module'

const major = Number.parseInt(process.versions.node, 10)

if (major < 24) {
  process.stderr.write(`millrace: Node 24 or newer is needed, and this is ${process.version}.\n`)
  process.exitCode = 2
} else {
  // Four fifths of a short command's time would go into compiling it anew.
  module.enableCompileCache()
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}
