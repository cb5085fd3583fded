import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { lines, type Script, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

describeInBrowser('running an agent', () => {
  const session = useSession(builtWebApp)

  async function open(script: Script) {
    const { agent, playTo } = stepped('wheel', script)
    playTo(100)
    const mill = await session.startMill([{ ...agent, can: { edit: true } }])
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    await viewer.page.getByRole('radio', { name: /wheel/ }).waitFor()
    return { mill, viewer, page: viewer.page }
  }

  it('a changed command and its approval for the session reach the agent, and look the same after a reload', async () => {
    const answers: unknown[] = []
    const { mill, viewer, page } = await open(async function* (_request, host) {
      yield { type: 'tool_use', data: { id: 'c1', name: 'Bash', input: { command: 'rm -r dist', timeout: 5 } } }
      answers.push(await host.ask({ callId: 'c1', message: 'May it?', request: { remember: ['session'] } }))
      yield lines.result('c1', 'index.html')
      yield lines.done
    })
    await viewer.say('Clean up')
    const threadId = await viewer.threadId()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Changed input' }).fill('ls dist')
    await page.getByRole('checkbox', { name: /for the session/ }).check()
    await page.getByRole('button', { name: 'Approve the change' }).click()
    await mill.ended(threadId)
    expect(answers).toEqual([{ state: 'approved', remember: 'session', input: { command: 'ls dist', timeout: 5 } }])
    await page.getByText('approved by you · changed · for the session').waitFor()
    const live = await viewer.html()
    await page.reload()
    await page.getByText('approved by you · changed · for the session').waitFor()
    await until('the page is the same', async () => (await viewer.html()) === live)
    await page.locator('.mr-tool .mr-head').click()
    expect(await page.locator('.mr-answer-detail').textContent()).toBe('As it was approvedls dist')
    expect(viewer.troubles).toEqual([])
  })

  it('words of a refusal reach the agent, by the keyboard alone', async () => {
    const answers: unknown[] = []
    const { mill, viewer, page } = await open(async function* (_request, host) {
      yield lines.call('c1', 'restart')
      answers.push(await host.ask({ callId: 'c1', message: 'May it?' }))
      yield lines.result('c1', 'refused')
      yield lines.done
    })
    await viewer.say('Restart')
    const threadId = await viewer.threadId()
    await page.locator('.mr-asking').focus()
    await page.keyboard.press('e')
    await page.keyboard.type('Use the preview cluster')
    await page.keyboard.press('Enter')
    await mill.ended(threadId)
    expect(answers).toEqual([{ state: 'denied', message: 'Use the preview cluster' }])
    expect(viewer.troubles).toEqual([])
  })

  it('an attached file goes with the message, and is shown in it before and after a reload', async () => {
    const files: unknown[] = []
    const { viewer, page } = await open(async function* ({ input }) {
      files.push(input.files)
      yield lines.text('Seen.')
      yield lines.done
    })
    const picker = page.getByLabel('Files to attach')
    await picker.setInputFiles([{ name: 'brook.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') }])
    await page.getByText('3 B').waitFor()
    await viewer.say('Look')
    await page.getByText('Seen.').waitFor()
    expect(files).toEqual([[expect.objectContaining({ filename: 'brook.csv', mediaType: 'text/csv' })]])
    const shown = () => page.locator('.mr-user-box .mr-chip').textContent()
    expect(await shown()).toContain('brook.csv')
    await page.reload()
    await page.getByText('Seen.').waitFor()
    expect(await shown()).toContain('brook.csv')
    expect(viewer.troubles).toEqual([])
  })

  it('a run that was stopped is continued by a new run of the same agent in the thread', async () => {
    const inputs: string[] = []
    const { mill, viewer, page } = await open(async function* ({ input, signal }) {
      inputs.push(input.text)
      yield lines.text(`Answer ${inputs.length}`)
      if (inputs.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield lines.done
    })
    await viewer.say('Turn')
    const threadId = await viewer.threadId()
    await page.getByText('Answer 1').waitFor()
    await page.locator('.mr-composer').getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Continue starts a new run of wheel in this thread').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Answer 2').waitFor()
    await until('two runs of the agent are there', async () => {
      const runs = await mill.log.runs(threadId)
      return runs.length === 2 && runs.every(({ agent }) => agent === 'wheel')
    })
    expect(inputs).toEqual(['Turn', 'Continue from here.'])
  })
})
