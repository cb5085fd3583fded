import { rmSync } from 'node:fs'
import type { Entry } from '@millrace/core/entry'
import { fold } from '@millrace/core/fold'
import { wires } from '@millrace/core/wire'
import type { Log } from '@millrace/server/log/log'
import { comparable, contentOf } from '@millrace/testkit/content'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { aiSdkContent } from '../../proofs/wires/facts/ai-sdk.ts'
import { agUiContentOf } from '../../proofs/wires/readers/ag-ui.ts'
import { builtPage } from './chat-page.ts'
import { describeInBrowser } from './chromium.ts'
import type { Held } from './clients-app/main.ts'
import { startProxy } from './cutting-proxy.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'
import { until } from './until.ts'

const createRepairer = () =>
  stepped('repairer', async function* () {
    yield lines.thinking('Wood first, then iron.')
    yield lines.text('I look at the wheel.')
    yield lines.call('c1', 'measure')
    yield lines.call('c2', 'listen')
    yield lines.result('c2', 'It creaks')
    yield lines.result('c1', 'Three paddles are rotten')
    yield lines.plan('completed', 'in_progress')
    yield lines.text('Two of them are ')
    yield lines.text('new now. ')
    yield lines.status('Greasing')
    yield lines.text('It turns.')
    yield lines.done
  })

describeInBrowser('three clients of one live run, in one page', () => {
  let folder = ''
  const session = useSession(async () => {
    folder = await builtPage('clients-app')
    return folder
  })
  afterAll(() => folder !== '' && rmSync(folder, { recursive: true, force: true }))

  it('end with equal content although the page was reloaded and one was cut and resumed', async () => {
    const { agent, playTo } = createRepairer()
    const mill = await session.startMill([agent])
    const proxy = await startProxy(Number(new URL(mill.url).port))
    try {
      const context = await session.openContext()
      const page = await context.newPage()
      await page.goto(mill.entrance.replace(new URL(mill.url).host, proxy.host))
      await page.goto(`http://${proxy.host}/repairer/wheel`)
      await tell(page, 'begin()')
      playTo(3)
      await mill.heard('wheel', 3)
      await tell(page, 'join()')
      await holds(page, ({ agUi, aiSdk, native }) => [agUi.messages, aiSdk.messages, native.chatEvents], 'measure')
      await page.reload()
      await tell(page, 'join(); resume()')
      await holds(page, ({ agUi, aiSdk, native }) => [agUi.messages, aiSdk.messages, native.chatEvents], 'measure')
      playTo(6)
      await holds(page, ({ aiSdk }) => [aiSdk.messages], 'Three paddles')
      expect(proxy.cut('/api/chat')).toBe(1)
      await until('the chat notices', async () => (await held(page)).aiSdk.status === 'error')
      playTo(8)
      await holds(page, ({ agUi }) => [agUi.messages], 'Two of them are')
      expect(JSON.stringify((await held(page)).aiSdk.messages)).not.toContain('Two of them are')
      await tell(page, 'resume()')
      await holds(page, ({ aiSdk }) => [aiSdk.messages], 'Two of them are')
      playTo(Number.POSITIVE_INFINITY)
      const run = await mill.ended('wheel')
      await until('all three are over', async () => {
        const { aiSdk, agUi, native } = await held(page)
        return aiSdk.status === 'ready' && agUi.isOver && native.connection === 'ended'
      })
      await compare(await held(page), mill.log, run.id)
    } finally {
      await proxy.close()
    }
  })
})

/** Each client holds the folded content, less what its wire cannot say; so all of them hold the same. */
async function compare({ aiSdk, agUi, native }: Held, log: Log, runId: string): Promise<void> {
  const entries: Entry[] = []
  for await (const batch of log.read(runId, { after: 0, live: false })) entries.push(...batch)
  expect(native.chatEvents).toEqual(JSON.parse(JSON.stringify(fold(entries, { runId }).chatEvents)))
  const answers = aiSdk.messages.filter(({ role }) => role === 'assistant')
  expect(answers).toHaveLength(1)
  const contents = [
    { wire: 'ai-sdk', content: aiSdkContent(answers[0] ?? { id: '', role: 'assistant', parts: [] }) },
    { wire: 'ag-ui', content: agUiContentOf(agUi.messages, agUi.calls) },
  ] as const
  for (const { wire, content } of contents) {
    const expected = contentOf(entries, wires[wire].losses)
    expect(comparable(content, expected), wire).toEqual(expected)
  }
  const [one, other] = contents.map(({ content }) => comparable(content, contentOf(entries, wires['ai-sdk'].losses)))
  expect(other).toEqual(one)
}

const held = (page: Page) => page.evaluate<Held>('held()')
const tell = (page: Page, words: string) => page.evaluate(`void (${words.split('; ').join(', ')})`)

async function holds(page: Page, of: (held: Held) => readonly unknown[], text: string): Promise<void> {
  await until(`"${text}" is shown`, async () => of(await held(page)).every((one) => JSON.stringify(one).includes(text)))
}
