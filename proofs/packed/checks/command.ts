import { join } from 'node:path'
import { openBrowser } from '../../open-browser.ts'
import { assertEqual, type Check } from '../check.ts'

const LINES = '{"type":"text","data":{"content":"Four **fathoms** at low water."}}\n{"type":"done","data":{}}\n'

export const command: Check = {
  title: '`npx millrace` in an empty folder: detect, convert, and serve with its page in a browser and a run played',
  async run(bench) {
    const consumer = await bench.install('command', [
      'millrace',
      '@millrace/server',
      '@millrace/agent',
      '@millrace/core',
    ])
    // In a project of their own: a package named `node` would be the Node of the project's programs.
    const older = `node-${process.platform}-${process.arch}`
    const versions = await bench.install('versions', [], [`node22@npm:${older}@22`, `node20@npm:${older}@20`])
    consumer.write({ 'run.jsonl': LINES })
    assertEqual(
      (await consumer.run('npx', 'millrace', 'detect', 'run.jsonl')).stdout.split(/\s/)[0],
      'agent-lines',
      'detect',
    )
    await consumer.run('npx', 'millrace', 'convert', 'run.jsonl', '--to', 'chat-events')
    const bin = join(consumer.folder, 'node_modules/.bin/millrace')
    const node = (version: number) => join(versions.folder, `node_modules/node${version}/bin/node`)
    assertEqual((await consumer.run(node(22), bin, 'detect', 'run.jsonl')).stderr, '', 'stderr on Node 22')
    const refused = await consumer.attempt(node(20), bin, 'serve')
    if (refused.code !== 2 || !refused.stderr.includes('22.18')) throw new Error(`Node 20: ${refused.stderr}`)
    const seen: string[] = []
    for (const program of [process.execPath, node(22)]) {
      const { firstLine, stop } = await consumer.start(program, bin, 'serve', '--port', '0')
      try {
        seen.push(await playedIn(firstLine))
      } finally {
        await stop()
      }
    }
    return `detect, convert, serve on two versions of Node; the page shows “${seen.join('”, “')}”; Node 20: ${refused.stderr.trim()}`
  },
}

/** Sends a run to the server and waits until its page shows it. */
async function playedIn(address: string): Promise<string> {
  const { origin, searchParams } = new URL(address)
  const headers = { authorization: `Bearer ${searchParams.get('token')}` }
  const ingest = `${origin}/api/ingest?format=agent-lines&threadId=t&runId=r`
  const sent = await fetch(ingest, { method: 'POST', body: LINES, headers })
  if (!sent.ok) throw new Error(await sent.text())
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(address)
    await page.goto(`${origin}/t/t`)
    const text = page.locator('.millrace strong', { hasText: 'fathoms' })
    await text.waitFor({ timeout: 30_000 })
    return (await text.textContent()) ?? ''
  } finally {
    await browser.close()
  }
}
