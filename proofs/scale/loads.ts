/** One way to load nodes: some runs, and viewers who watch them, spread over all nodes. */
export interface Load {
  readonly name: string
  readonly runs: number
  readonly viewersOfRun: number
  /** Of each run; a line is an event. */
  readonly lines: number
  /** Between two lines of a run, in ms. */
  readonly pause: number
  /** How long each run stays silent before its last line, in ms. */
  readonly silence: number
}

/** Rates that two cores keep up with: what is measured is the cost of an event, a run and a viewer. */
export const loads: readonly Load[] = [
  { name: '1,000 viewers of one run', runs: 1, viewersOfRun: 1_000, lines: 1_500, pause: 4, silence: 0 },
  { name: '500 runs at once, one viewer each', runs: 500, viewersOfRun: 1, lines: 100, pause: 100, silence: 0 },
  { name: '10,000 idle viewers of one run', runs: 1, viewersOfRun: 10_000, lines: 1, pause: 0, silence: 25_000 },
]

/** The same on a small scale: whether the rig itself works. */
export const smallLoads: readonly Load[] = loads.map((load) => ({
  ...load,
  runs: Math.ceil(load.runs / 50),
  viewersOfRun: Math.ceil(load.viewersOfRun / 50),
  lines: Math.min(load.lines, 30),
  silence: load.silence / 10,
}))
