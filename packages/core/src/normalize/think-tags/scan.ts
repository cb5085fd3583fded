import { isSpecial, lineStart, prose } from './code.ts'
import { openerStart, type Step, thought, thoughtStart } from './tag.ts'

/** What a scan finds, in order. Joined, these strings are the input, byte for byte. */
export interface Findings {
  /** A part of the text, or of the thought if the last tag was an opener. Never empty. */
  text(part: string): void
  open(tag: string): void
  close(tag: string): void
}

/** Consumes characters from `at` and returns the position of the first one that it does not consume. */
export type State = (scan: Scan, text: string, at: number) => number

/** One text, read in chunks. The findings do not depend on how it is cut. */
export interface Scan {
  readonly names: readonly string[]
  readonly findings: Findings
  state: State
  /** The beginning of a possible tag, held back from the chunks so far. */
  held: string
  /** Where in the current text the part begins that was not yet reported. */
  from: number
  /** Where in the current text a possible tag begins, or -1. */
  mark: number
  /** What the possible tag must continue with. */
  step: Step
  /** Where the scan continues if it is not a tag. */
  resume: State
  /** Where the scan continues after a thought. */
  readonly outside: State
  /** The name of the possible opener, in lower case. */
  name: string
  /** The names that end the open thought; empty outside a thought. */
  closers: readonly string[]
  /** Spaces at the start of a line: with more than three it is not a fence. */
  indent: number
  /** The number of backticks or tildes in the current run. */
  runLength: number
  /** The length of the run that opened the current code. */
  openingLength: number
  /** The character of the current fence. */
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

/** Whether a chunk is plain text that does not change the state of the scan: most chunks are. */
export function isQuiet(scan: Scan, chunk: string): boolean {
  if (scan.state === thought) return !chunk.includes('<')
  if (scan.state !== prose) return false
  for (let at = 0; at < chunk.length; at++) if (isSpecial(chunk.charCodeAt(at))) return false
  return true
}

/** Reports what is held back as text: nothing can complete it to a tag. */
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
