import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { expect, it, onTestFinished } from 'vitest'
import { newDatabase, startNode } from '../nodes/node-process.ts'
import { type Producer, produce } from '../nodes/producer.ts'
import { expectOneRun, runAt } from '../nodes/run-sight.ts'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { lines } from './stepped.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const RUN = 'format=agent-lines&runId=r&threadId=t'
const WORDS = Array.from({ length: 120 }, (_, nth) => lines.text(`Word ${nth}, **bold** and \`code\`. `))
const RECORDS = [
  lines.plan('in_progress'),
  lines.call('c', 'measure'),
  ...WORDS,
  lines.result('c', 'turned'),
  lines.done,
]
const MIDDLE = 60

/** Sends records with pauses, as an agent writes them, until `isOver`. */
async function dripped(producer: Producer, records: readonly object[], isOver = () => false): Promise<void> {
  for (const record of records) {
    if (isOver()) return
    producer.write(record)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describeInBrowser('a page at one node, a producer at another', () => {
  const session = useSession(builtWebApp)

  it.skipIf(postgresAbsence)(
    'shows the run, heals when the other node is killed, and is then the stored page',
    async () => {
      const settings = { databaseUrl: await newDatabase(), leaseTtl: 1_500 }
      const [one, other] = await Promise.all([startNode('serve', settings), startNode('serve', settings)])
      onTestFinished(async () => {
        await Promise.all([one.kill(), other.kill()])
      })
      await one.post('/api/threads', { id: 't', title: 'The mill' })
      const { page, troubles, html, evaluate } = await openViewer(await session.openContext(), one.entrance)
      await page.locator('.mr-thread-row', { hasText: 'The mill' }).click()
      await page.locator('.mr-status', { hasText: 'No run yet' }).waitFor()

      const first = produce(other, RUN)
      let isKilled = false
      const sent = dripped(first, RECORDS.slice(0, -2), () => isKilled)
      await page.locator('.mr-prose', { hasText: `Word ${MIDDLE},` }).waitFor()
      await page.locator('.bar .badge-live').waitFor()
      await other.kill()
      isKilled = true
      await sent
      expect(await first.answer).toBeUndefined()
      await until('the other node has swept', async () => (await runAt(one, 'r')).state === 'waiting')
      await page.locator('.mr-status', { hasText: 'Waiting for its producer' }).waitFor()

      const { rawRecords } = await runAt(one, 'r')
      expect(rawRecords).toBeGreaterThan(MIDDLE)
      const second = produce(one, `${RUN}&line=${rawRecords}`)
      await dripped(second, RECORDS.slice(rawRecords))
      second.end()
      expect(await second.answer).toMatchObject({
        status: 200,
        body: { rawRecords: RECORDS.length, outcome: 'success' },
      })
      await page.locator('.bar .badge-done').waitFor()
      await page.locator('.mr-prose', { hasText: `Word ${WORDS.length - 1},` }).waitFor()
      const healed = await html()
      expect(await evaluate<number>('performance.getEntriesByType("navigation").length')).toBe(1)
      await page.reload()
      await page.locator('.mr-prose', { hasText: `Word ${WORDS.length - 1},` }).waitFor()
      expect(healed).toBe(await html())
      await expectOneRun([one], 'r', 'success')
      const raw = await (await one.ask('/api/runs/r/raw')).text()
      expect(raw).toBe(RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''))
      expect(troubles).toEqual([])
    },
  )
})
