import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

describeInBrowser('the fonts of the app', () => {
  const session = useSession(builtWebApp)

  it('come from its own server, and only those that the page shows', async () => {
    const mill = await session.startMill([])
    const { page, evaluate, troubles } = await openViewer(await session.openContext(), mill.entrance)
    await page.getByText('Pipe a stream in').waitFor()
    const loaded = await evaluate<readonly string[]>(
      "document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('\"', '')))",
    )
    expect([...loaded].sort()).toEqual(['Inter', 'JetBrains Mono'])
    expect(troubles).toEqual([])
  })
})
