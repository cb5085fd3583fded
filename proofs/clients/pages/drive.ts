import type { Log } from '@millrace/server/log/log'
import type { BrowserContext, Page } from 'playwright-core'
import type { Held, PageClient } from '../../../clients/contract.ts'
import type { Script } from './agents.ts'
import type { Driven } from './scenes.ts'
import { until } from './until.ts'

declare const client: PageClient
declare const document: { readonly body: { readonly textContent: string } }

/** A client in a tab. */
export interface Tab extends Driven {
  readonly page: Page
  held(): Promise<Held>
  /** The words of the page. */
  drawn(): Promise<string>
  /** What went wrong in the page itself. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

interface Opening extends Pick<Driven, 'mostQuestions'> {
  readonly address: string
  readonly threadId: string
  readonly log: Log
  readonly script: Script
}

/** Opens a page of a client and drives it. */
export async function openTab(
  context: BrowserContext,
  { address, threadId, mostQuestions, log, script }: Opening,
): Promise<Tab> {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(error.message))
  let last: Held | undefined

  async function held(): Promise<Held> {
    last = await page.evaluate(() => client.held())
    return last
  }

  const when = <Result>(what: string, look: (held: Held) => Result | undefined): Promise<Result> =>
    until(
      what,
      async () => look(await held()),
      () => ({ held: last, faults }),
    )

  const holds = (text: string, isBusy: boolean) =>
    when(`the client ${isBusy ? 'streams' : 'rests with'} "${text}"`, (seen) =>
      seen.isBusy === isBusy && lastTextOf(seen) === text ? true : undefined,
    )

  await ready(page, faults, () => page.goto(address))
  return {
    page,
    faults,
    held,
    drawn: () => page.evaluate(() => document.body.textContent),
    send: (text) => page.evaluate((sent) => client.send(sent), text),
    stop: () => page.evaluate(() => client.stop()),
    regenerate: () => page.evaluate(() => client.regenerate()),
    answer: (answers) => page.evaluate((given) => client.answer(given), answers),
    reload: () => ready(page, faults, () => page.reload()),
    goOn: () => script.goOn(threadId),
    streams: async (text) => void (await holds(text, true)),
    rests: async (text) => void (await holds(text, false)),
    asked: (count) =>
      when(`the client asks ${count} questions`, (seen) =>
        !seen.isBusy && seen.questions.length === count ? seen.questions : undefined,
      ),
    askedAfter: (question) =>
      when(`the client asks after ${question}`, ({ isBusy, questions }) =>
        !isBusy && questions.length === 1 && questions[0] !== question ? questions[0] : undefined,
      ),
    mostQuestions,
    ended: async () =>
      void (await until(
        'the newest run has ended',
        async () => ((await log.runs(threadId)).at(-1)?.state === 'ended' ? true : undefined),
        () => threadId,
      )),
    close: () => page.close(),
  }
}

async function ready(page: Page, faults: readonly string[], load: () => Promise<unknown>): Promise<void> {
  await load()
  const isReady = () => page.evaluate(() => ('client' in globalThis ? true : undefined))
  await until('the page can be driven', isReady, () => faults)
}

/** The last words of an answer. */
function lastTextOf({ pieces }: Held): string | undefined {
  const text = pieces.findLast(({ type }) => type === 'text')
  return text !== undefined && 'text' in text ? text.text : undefined
}
