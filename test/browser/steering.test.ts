import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { lines, type Script, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const rows = ({ page }: Viewer) => page.locator('.queue-row')
/** Every row as its words: what it is, its text, and what will happen to it. */
const rowTexts = async (viewer: Viewer) =>
  (await rows(viewer).allInnerTexts()).map((text) => text.replaceAll(/\s*\n\s*/g, ' | '))
const userTexts = ({ page }: Viewer) => page.locator('.mr-user-box p').allTextContents()

describeInBrowser('talking to an agent that runs', () => {
  const session = useSession(builtWebApp)

  async function open(script: Script, can: { readonly steer?: boolean }) {
    const { agent, playTo } = stepped('wheel', script)
    const mill = await session.startMill([{ ...agent, can }])
    const context = await session.openContext()
    // The list of agents says what each can do.
    await context.route('**/api/agents', (route) =>
      route.fulfill({ json: { agents: [{ name: 'wheel', title: 'Wheel', can }] } }),
    )
    const viewer = await openViewer(context, mill.entrance)
    await viewer.page.getByRole('radio', { name: /Wheel/ }).waitFor()
    await viewer.say('Turn')
    const threadId = await viewer.threadId()
    playTo(1)
    await mill.heard(threadId, 1)
    const another = () => openViewer(context, `${mill.url}/t/${threadId}`)
    return { mill, viewer, another, threadId, playTo }
  }

  const newestRun = async ({ log }: Mill, threadId: string) => (await log.runs(threadId)).at(-1)

  it('a message waits until the agent takes it, and is the same in a second tab and after a reload', async () => {
    const script: Script = async function* (_request, host) {
      yield lines.text('I look at the north gate.')
      yield lines.text(' And at the south gate.')
      for await (const { text } of host.messages()) {
        yield lines.text(` Heard: ${text}`)
        break
      }
      yield lines.done
    }
    const { mill, viewer, another, threadId, playTo } = await open(script, { steer: true })
    await viewer.page.getByText('north gate').waitFor()
    await viewer.say('Left!')
    const waiting = ['Steering | Left! | sent to the agent, not read yet | Take back']
    await until('the message waits', async () => String(await rowTexts(viewer)) === String(waiting))
    const second = await another()
    await until('the second tab shows it', async () => String(await rowTexts(second)) === String(waiting))
    await viewer.page.reload()
    await until('the page shows it after a reload', async () => String(await rowTexts(viewer)) === String(waiting))
    playTo(10)
    await mill.ended(threadId)
    for (const each of [viewer, second]) {
      await each.page.getByText('Heard: Left!').waitFor()
      expect(await rowTexts(each)).toEqual([])
      expect(await userTexts(each)).toEqual(['Turn', 'Left!'])
      // Each page reads the end of the run by itself.
      await each.page.locator('.mr-turn[data-state=live]').waitFor({ state: 'detached' })
    }
    expect(await viewer.html()).toBe(await second.html())
    expect([...viewer.troubles, ...second.troubles]).toEqual([])
  })

  it('a message to an agent that cannot be steered goes to the run after it; one that was taken back does not', async () => {
    const script: Script = async function* ({ input }) {
      yield lines.text(`Answer to ${input.text}`)
      yield lines.done
    }
    const { mill, viewer, threadId, playTo } = await open(script, {})
    await viewer.page.getByText('Answer to Turn').waitFor()
    await viewer.say('Then the gate')
    await viewer.say('Never this')
    const waiting = ['Then the gate', 'Never this'].map(
      (text, index) => `Queued ${index + 1} | ${text} | after this run`,
    )
    await until('both wait', async () => String(await rowTexts(viewer)) === String(waiting))
    await rows(viewer).nth(1).getByRole('button', { name: 'Take back' }).click()
    await until('one waits', async () => (await rows(viewer).count()) === 1)
    expect(await viewer.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    playTo(10)
    await viewer.page.getByText('Answer to Then the gate').waitFor()
    await until('both runs have ended', async () => {
      const runs = await mill.log.runs(threadId)
      return runs.length === 2 && runs.every(({ state }) => state === 'ended')
    })
    await until('nothing waits', async () => (await rows(viewer).count()) === 0)
    expect(await userTexts(viewer)).toEqual(['Turn', 'Then the gate'])
    expect(viewer.troubles).toEqual([])
  })

  it('what the agent never took is shown as not read after a stop, also after a reload, and can be written again', async () => {
    const script: Script = async function* () {
      yield lines.text('Turning')
      yield lines.text('Never reached')
    }
    const { mill, viewer, threadId } = await open(script, { steer: true })
    await viewer.page.getByText('Turning').waitFor()
    await viewer.say('Slower')
    await until('it waits', async () => (await rows(viewer).count()) === 1)
    await viewer.page.locator('.mr-composer').getByRole('button', { name: 'Stop' }).click()
    await mill.ended(threadId)
    const dropped = ['Not read | Slower | the run ended first | Write again']
    await until('it is not read', async () => String(await rowTexts(viewer)) === String(dropped))
    await viewer.page.reload()
    await until('it is not read after a reload', async () => String(await rowTexts(viewer)) === String(dropped))
    await viewer.page.getByRole('button', { name: 'Write again' }).click()
    expect(await viewer.page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Slower')
    expect(await rows(viewer).count()).toBe(0)
    expect(viewer.troubles).toEqual([])
  })

  it('says in a sentence that a message was already taken, or that nobody listens', async () => {
    const script: Script = async function* () {
      yield lines.text('Turning')
      yield lines.text('Never reached')
    }
    const { mill, viewer, threadId } = await open(script, { steer: true })
    await viewer.page.getByText('Turning').waitFor()
    await viewer.say('Slower')
    const takeBack = viewer.page.getByRole('button', { name: 'Take back' })
    await takeBack.waitFor()
    const runId = (await newestRun(mill, threadId))?.id ?? ''
    await viewer.page.route('**/messages/*', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'not-pending', message: `No message of ${runId}.` } } }),
    )
    await takeBack.click()
    await viewer.page.getByRole('alert').filter({ hasText: 'already taken the message' }).waitFor()
    await viewer.page.route('**/messages', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'nobody-listens', message: 'Nobody listens.' } } }),
    )
    await viewer.say('Faster')
    await viewer.page.getByRole('alert').filter({ hasText: 'reads no messages' }).waitFor()
    expect(await viewer.page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Faster')
  })
})
