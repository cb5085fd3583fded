import type { Held } from '../../../clients/contract.ts'

/** A client in its page, as a scene drives it. */
export interface Driven {
  send(text: string): Promise<void>
  stop(): Promise<void>
  regenerate(): Promise<void>
  answer(answers: { readonly [question: string]: boolean }): Promise<void>
  reload(): Promise<void>
  /** Lets the slow agent finish its answer. */
  goOn(): void
  /** Resolves when the client holds the text, and expects more. */
  streams(text: string): Promise<void>
  /** Resolves when the client holds the text, and expects nothing more. */
  rests(text: string): Promise<void>
  /** Resolves with the open questions when the client holds so many, and expects nothing more. */
  asked(count: number): Promise<Held['questions']>
  /** Resolves with the open question once it is another one. */
  askedAfter(question: string): Promise<string>
  /** How many questions the client can show at once, of two. */
  readonly mostQuestions: 1 | 2
  /** Resolves when the newest run of the log has ended. */
  ended(): Promise<void>
}

/** What a person does. What the client holds afterwards, and again after a reload, is compared with the thread. */
export interface Scene {
  readonly title: string
  readonly agent: string
  play(client: Driven): Promise<void>
  /** How the runs of the thread end, in order. */
  readonly outcomes: readonly string[]
  /** The error that the client has to show. */
  readonly error?: string
  /** How often the page is asked to run its tool. */
  readonly outputs?: number
}

export const scenes: readonly Scene[] = [
  {
    title: 'first message',
    agent: 'echo',
    async play(client) {
      await client.send('Good morning')
      await client.rests('After 0: Good morning.')
    },
    outcomes: ['success'],
  },
  {
    title: 'second turn',
    agent: 'echo',
    async play(client) {
      await client.send('Good morning')
      await client.rests('After 0: Good morning.')
      await client.send('Good night')
      await client.rests('After 2: Good night.')
    },
    outcomes: ['success', 'success'],
  },
  {
    title: 'second turn after a reload',
    agent: 'echo',
    async play(client) {
      await client.send('Good morning')
      await client.rests('After 0: Good morning.')
      await client.reload()
      await client.rests('After 0: Good morning.')
      await client.send('Good night')
      await client.rests('After 2: Good night.')
    },
    outcomes: ['success', 'success'],
  },
  {
    title: 'tools',
    agent: 'tools',
    async play(client) {
      await client.send('Repair the wheel')
      await client.rests('We need wood.')
    },
    outcomes: ['success'],
  },
  {
    title: 'two approvals at once',
    agent: 'two',
    async play(client) {
      await client.send('Repair the wheel')
      const [first = '', ...others] = await client.asked(client.mostQuestions)
      const answers = Object.fromEntries(others.map((second) => [second, false]))
      await client.answer({ [first]: true, ...answers })
      if (others.length === 0) await client.answer({ [await client.askedAfter(first)]: false })
      await client.rests('The first was approved, the second denied.')
    },
    outcomes: ['success'],
  },
  {
    title: 'denial',
    agent: 'asks',
    async play(client) {
      await client.send('Repair the wheel')
      const [question = ''] = await client.asked(1)
      await client.answer({ [question]: false })
      await client.rests('That was denied.')
    },
    outcomes: ['success'],
  },
  {
    title: 'reload while it asks, then an approval',
    agent: 'asks',
    async play(client) {
      await client.send('Repair the wheel')
      await client.asked(1)
      await client.reload()
      const [question = ''] = await client.asked(1)
      await client.answer({ [question]: true })
      await client.rests('That was approved.')
    },
    outcomes: ['success'],
  },
  {
    title: 'client tool twice with one call id',
    agent: 'looks',
    async play(client) {
      await client.send('the mill')
      await client.rests('I see {"sees":"the wheel"}.')
      await client.send('the race')
      await client.ended()
      await client.rests('I see {"sees":"the wheel"}.')
    },
    outcomes: ['awaiting-input', 'success', 'awaiting-input', 'success'],
    outputs: 2,
  },
  {
    title: 'stop',
    agent: 'slow',
    async play(client) {
      await client.send('Repair the wheel')
      await client.streams('The first half')
      await client.stop()
      await client.rests('The first half')
      await client.ended()
    },
    outcomes: ['cancelled'],
  },
  {
    title: 'error',
    agent: 'fails',
    async play(client) {
      await client.send('Repair the wheel')
      await client.rests('I begin,')
    },
    outcomes: ['error'],
    error: 'The wheel broke.',
  },
  {
    title: 'reload in mid-answer',
    agent: 'slow',
    async play(client) {
      await client.send('Repair the wheel')
      await client.streams('The first half')
      await client.reload()
      await client.streams('The first half')
      client.goOn()
      await client.rests('The first half and the second.')
    },
    outcomes: ['success'],
  },
  {
    title: 'regenerate',
    agent: 'echo',
    async play(client) {
      await client.send('Good morning')
      await client.rests('After 0: Good morning.')
      await client.send('Good night')
      await client.rests('After 2: Good night.')
      await client.regenerate()
      await client.ended()
      await client.rests('After 2: Good night.')
    },
    outcomes: ['success', 'success', 'success'],
  },
]
