import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { openTravelled, texts } from './travelled-page.ts'
import { until } from './until.ts'
import { builtWebApp } from './web-app.ts'

describeInBrowser('a branch from the past', () => {
  const session = useSession(builtWebApp)

  it('begins a branch at the last turn boundary, and says so', async () => {
    const { page, viewer, mill, threadId, end, troubles } = await openTravelled(session, '')
    end()
    await mill.ended(threadId)
    await viewer.say('Now the other gate.')
    await until('there are two runs', async () => (await mill.log.runs(threadId)).length === 2)
    await mill.ended(threadId)
    await until('the page has both', async () => (await page.locator('.mr-thread .mr-user-box').count()) === 2)
    await until('the dock has the second', async () => (await texts(viewer, '.live-pill'))[0] === 'Finished')
    await page.locator('.mr-thread-scroll').focus()
    await page.keyboard.press(',')
    await page.locator('.badge-past').waitFor()
    expect(await page.locator('.past-bar small').textContent()).toBe('A branch begins after turn 1.')
    await page.keyboard.press('Shift+B')
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.waitFor()
    expect(await page.locator('.branch-note').textContent()).toContain('begins a branch after turn 1')
    expect(await field.inputValue()).toBe('Now the other gate.')
    expect((await texts(viewer, '.mr-user-box .mr-prose')).length).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Branch from here' }).click()
    await field.fill('Now the third gate.')
    await page.keyboard.press('Enter')
    await until('the new branch is shown', async () => {
      const asked = await texts(viewer, '.mr-user-box .mr-prose')
      return asked.length === 2 && asked[1] === 'Now the third gate.'
    })
    expect(await page.locator('.badge-past').count()).toBe(0)
    const runs = await mill.log.runs(threadId)
    expect(runs.at(-1)).toMatchObject({ afterRunId: runs[0]?.id })
    expect(troubles).toEqual([])
  })
})
