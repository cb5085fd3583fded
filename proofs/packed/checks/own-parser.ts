import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../check.ts'
import { root } from '../packages.ts'

const PASSED = /^# pass (\d+)$/m

export const ownParser: Check = {
  title: 'a parser of one’s own is judged by the testkit, under `node --test` and vitest; a fault in it is found',
  async run(bench) {
    const consumer = await bench.install('own-parser', ['@millrace/core', '@millrace/testkit'], ['vitest@5'])
    cpSync(join(root, 'examples/own-parser'), consumer.folder, {
      recursive: true,
      filter: (path) => !/node_modules|package\.json$/.test(path),
    })
    const { stdout } = await consumer.run('node', '--test', '--test-reporter=tap')
    await consumer.run('vitest', 'run')
    const [, passed = '0'] = PASSED.exec(stdout) ?? []
    if (Number(passed) < 10) throw new Error(`Only ${passed} tests ran.`)
    const path = join(consumer.folder, 'toolshed.ts')
    writeFileSync(path, readFileSync(path, 'utf8').replace("outcome: 'success'", "outcome: 'error'"))
    const broken = await consumer.attempt('node', '--test')
    if (broken.code === 0) throw new Error('A parser with a fault passed.')
    return `${passed} tests pass; a wrong outcome fails`
  },
}
