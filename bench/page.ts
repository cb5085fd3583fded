import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../proofs/open-browser.ts'
import { type Figure, measureApp } from './page/app.ts'
import { installPeers, pageOf } from './page/build.ts'
import { chunksOf, LAST, markdownOf, turnsOf } from './page/content.ts'
import { openProbe, percentile, THROTTLE } from './page/probe.ts'
import { type Library, libraries } from './page/sources.ts'

/**
 * What a person's page costs, in a real Chromium with a slow processor: `npm run bench:page -- --peers`. It prints figures and
 * ratios, and is no test: an absolute time means nothing on another machine.
 */
const { values } = parseArgs({ options: { peers: { type: 'boolean' }, only: { type: 'string' } } })

const CHARACTERS = 65_536
const CHUNK = 64
const PIECES = 10_000

/** What each library can be given: streamdown draws texts, and no thread. */
const works: { readonly [Name in Library]: readonly ('markdown' | 'thread')[] } = {
  millrace: ['markdown', 'thread'],
  streamdown: ['markdown'],
  'assistant-ui': ['markdown', 'thread'],
}

const browser = await openBrowser()
try {
  console.log(`Chromium ${browser.version()}, the processor ${THROTTLE} times slower`)
  const refusal = values.peers ? installPeers() : undefined
  if (refusal !== undefined) console.log(`the peers are not there: ${refusal}`)
  const compared = libraries.filter((name) => name === 'millrace' || (values.peers && refusal === undefined))
  if (values.only !== 'app') await compare(browser, compared)
  if (values.only !== 'libraries') {
    console.log('\nthe app')
    for (const figure of await measureApp(browser)) printFigure(figure)
  }
} finally {
  await browser.close()
}

async function compare(on: Browser, names: readonly Library[]): Promise<void> {
  const pages = new Map<Library, string>()
  for (const name of names) pages.set(name, await pageOf(name))
  const chunks = chunksOf(markdownOf(CHARACTERS), CHUNK)
  console.log(`\n${CHARACTERS / 1024} KB of markdown in ${chunks.length} chunks: main thread, and a chunk`)
  let floor: number | undefined
  for (const [name, html] of pages) {
    const { busy, result } = await run<{ times: number[] }>(on, html, `bench.markdown(${JSON.stringify(chunks)})`)
    floor ??= busy
    const chunk = `median ${percentile(result.times, 0.5).toFixed(1)} ms, 95 % ${percentile(result.times, 0.95).toFixed(1)} ms`
    console.log(`  ${name.padEnd(14)} ${(busy / 1_000).toFixed(2)} s (${(busy / floor).toFixed(1)}×)  ${chunk}`)
  }
  console.log(`\n${PIECES} pieces, drawn from memory`)
  let first: number | undefined
  for (const [name, html] of pages) {
    if (!works[name].includes('thread')) continue
    const work = `bench.thread(${JSON.stringify(turnsOf(PIECES))}, ${JSON.stringify(LAST)})`
    const { result, longest } = await run<{ time: number; nodes: number }>(on, html, work)
    first ??= result.time
    const { time, nodes } = result
    console.log(
      `  ${name.padEnd(14)} ${time.toFixed(0)} ms (${(time / first).toFixed(1)}×)  longest task ${longest.toFixed(0)} ms, ${nodes} nodes`,
    )
  }
}

/** In a page of its own, so that none warms up another. */
async function run<Result>(on: Browser, html: string, work: string) {
  const probe = await openProbe(on)
  try {
    await probe.page.goto('about:blank')
    await probe.page.setContent(html)
    await probe.page.waitForFunction('globalThis.bench !== undefined')
    await probe.longestTask()
    const before = await probe.busyMs()
    const result = await probe.page.evaluate<Result>(work)
    return { result, busy: (await probe.busyMs()) - before, longest: await probe.longestTask() }
  } finally {
    await probe.close()
  }
}

function printFigure({ what, value, unit, bound }: Figure): void {
  const wanted =
    bound === undefined ? '' : `  < ${bound}${unit === '' ? '' : ` ${unit}`}  ${value < bound ? 'kept' : 'MISSED'}`
  console.log(`  ${what.padEnd(56)} ${value.toFixed(0).padStart(7)} ${unit}${wanted}`)
}
