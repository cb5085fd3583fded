import { isSpecial, lineStart, prose } from './code.ts'
import { openerStart, type Step, thought, thoughtStart } from './tag.ts'

/** What a scan finds, in order. Put together again, these strings are the input, byte for byte. */
export interface Findings {
  /** A piece of text, or of the thought when the last tag was an opener. Never empty. */
  text(part: string): void
  open(tag: string): void
  close(tag: string): void
}

/** Consumes what it knows from `at` on and gives the position of the first character that it leaves. */
export type State = (scan: Scan, text: string, at: number) => number

/** One text, read in chunks. The findings are the same for every way of cutting it. */
export interface Scan {
  readonly names: readonly string[]
  readonly findings: Findings
  state: State
  /** The beginning of a possible tag, kept back from the chunks so far. */
  held: string
  /** Where in the text at hand the piece begins that was not yet given away. */
  from: number
  /** Where in the text at hand a possible tag begins, or -1. */
  mark: number
  /** What the possible tag must go on with. */
  step: Step
  /** Where the scan goes on if it is no tag. */
  resume: State
  /** Where it goes on after a thought. */
  readonly outside: State
  /** The name of the possible opener, in lower case. */
  name: string
  /** The names that end the thought that is open; none outside a thought. */
  closers: readonly string[]
  /** Spaces at the start of a line: more than three and it is no fence. */
  indent: number
  /** The backticks or tildes counted in the run at hand. */
  runLength: number
  /** How long the run was that opened the code at hand. */
  openingLength: number
  /** The character of the fence at hand. */
  fenceChar: number
}

export function createScan(names: readonly string[], startInThinking: boolean, findings: Findings): Scan {
  return {
    names,
    findings,
    state: startInThinking ? thoughtStart : lineStart,
    held: '',
    from: 0,
    mark: -1,
    step: openerStart,
    resume: lineStart,
    outside: lineStart,
    name: '',
    closers: startInThinking ? names : [],
    indent: 0,
    runLength: 0,
    openingLength: 0,
    fenceChar: 0,
  }
}

export function feed(scan: Scan, chunk: string): void {
  if (scan.held === '') {
    read(scan, chunk, 0)
    return
  }
  const text = scan.held + chunk
  scan.mark = 0
  read(scan, text, scan.held.length)
}

/** Whether a chunk is plain text that changes nothing about the scan: most chunks are. */
export function isQuiet(scan: Scan, chunk: string): boolean {
  if (scan.state === thought) return !chunk.includes('<')
  if (scan.state !== prose) return false
  for (let at = 0; at < chunk.length; at++) if (isSpecial(chunk.charCodeAt(at))) return false
  return true
}

/** Nothing more can complete what is held back: it is no tag. */
export function release(scan: Scan): void {
  if (scan.held === '') return
  scan.state = scan.resume
  read(scan, scan.held, 1)
}

function read(scan: Scan, text: string, start: number): void {
  scan.from = 0
  let at = start
  while (at < text.length) at = scan.state(scan, text, at)
  const end = scan.mark === -1 ? text.length : scan.mark
  scan.held = text.slice(end)
  scan.mark = -1
  if (scan.from < end) scan.findings.text(text.slice(scan.from, end))
}
