import type { Errand } from './errand.ts'
import { command, done, line, spoken, thoughts } from './steps.ts'

interface Year {
  readonly name: string
  /** In m³/s, by quarter. */
  readonly flows: readonly number[]
  readonly advice: string
}

/** A later question is answered with another year. */
const YEARS: readonly [Year, ...Year[]] = [
  { name: 'a dry year', flows: [0.31, 0.24, 0.09, 0.22], advice: 'In a dry summer the wheel stands still for weeks.' },
  {
    name: 'a wet year',
    flows: [0.55, 0.47, 0.33, 0.52],
    advice: 'In a wet winter the race takes no more: open the weir.',
  },
]

const FALL = 2.9
const EFFICIENCY = 0.62
const kilowatts = (flow: number) => (9.81 * flow * FALL * EFFICIENCY).toFixed(1)

/** A shorter errand, for the questions after the first: `nth` counts them from 0. */
export function followUp(opening: string, nth: number): Errand {
  const { name, flows, advice } = YEARS[nth % YEARS.length] ?? YEARS[0]
  const rows = flows.map((flow, index) => `| ${index + 1} | ${flow.toFixed(2)} | ${kilowatts(flow)} |`)
  return {
    steps: [
      line(200, 'start', { model: 'demo-1' }),
      line(300, 'status', { message: 'Reading what was said before' }),
      ...thoughts(`The wheel is measured already; what ${name} does to it is not.`),
      ...spoken(opening),
      ...command({
        id: 'call_year',
        command: `node wheel/year.ts --flows ${flows.join(',')}`,
        every: 260,
        exitCode: 0,
        prints: flows.map((flow, index) => `quarter ${index + 1}   ${flow.toFixed(2)} m³/s   ${kilowatts(flow)} kW`),
      }),
      ...spoken(
        `### The wheel in ${name}\n\n| Quarter | Flow, m³/s | Power, kW |\n| ---: | ---: | ---: |\n${rows.join('\n')}\n\n${advice}\n`,
      ),
      line(200, 'result', { duration_ms: 6000, num_turns: 2, usage: { input_tokens: 2100, output_tokens: 180 } }),
      done,
    ],
    after: () => [],
  }
}
