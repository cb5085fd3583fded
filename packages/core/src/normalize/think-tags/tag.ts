import type { Scan, State } from './scan.ts'

/** Reads one character of a possible tag and returns what must follow; `undefined` if it is not a tag. */
export type Step = (scan: Scan, code: number, text: string, at: number) => Step | 'opened' | 'closed' | undefined

/** The maximum that is held back, in UTF-16 units: a longer tag is text. */
const MAX_TAG = 256

const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const EQUALS = 0x3d
const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKTICK = 0x60

/** Begins a possible tag at a `<`; the scan continues at `resume` if it is not one. */
export function enterTag(scan: Scan, at: number, step: Step, resume: State): number {
  scan.mark = at
  scan.step = step
  scan.resume = resume
  scan.state = tag
  return at + 1
}

/** Only the closing tag is searched, and the first one counts, even in code: thoughts quote code, rarely the tag. */
export const thought: State = (scan, text, at) => {
  const found = text.indexOf('<', at)
  return found === -1 ? text.length : enterTag(scan, found, closerStart, thought)
}

/** A thought whose opening tag the model may omit. */
export const thoughtStart: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  if (isSpace(code)) return at + 1
  scan.state = thought
  return code === LESS ? enterTag(scan, at, eitherStart, thought) : at
}

/** Text that is not a tag is read again from its second character; it has no other `<`, so that happens once. */
const tag: State = (scan, text, at) => {
  const code = text.charCodeAt(at)
  const isPossible = code !== LESS && at - scan.mark < MAX_TAG
  const next = isPossible ? scan.step(scan, code, text, at) : undefined
  if (next === undefined) {
    scan.state = scan.resume
    const again = scan.mark + 1
    scan.mark = -1
    return again
  }
  if (typeof next === 'function') scan.step = next
  else reportTag(scan, next, text, at + 1)
  return at + 1
}

function reportTag(scan: Scan, found: 'opened' | 'closed', text: string, end: number): void {
  const { mark, from, findings } = scan
  scan.from = end
  scan.mark = -1
  scan.state = found === 'opened' ? thought : scan.outside
  scan.closers = found === 'opened' ? [scan.name] : []
  scan.indent = 0
  if (from < mark) findings.text(text.slice(from, mark))
  if (found === 'opened') findings.open(text.slice(mark, end))
  else findings.close(text.slice(mark, end))
}

/**
 *     <think a="1">
 *      ^^^^^^
 */
export const openerStart: Step = (scan, code, text, at) => {
  const name = text.slice(scan.mark + 1, at).toLowerCase()
  if (code !== GREATER && !isSpace(code)) return mayBecomeOneOf(scan.names, name, text, at) ? openerStart : undefined
  if (!scan.names.includes(name)) return undefined
  scan.name = name
  return code === GREATER ? 'opened' : beforeAttribute
}

/**
 *     </think >
 *      ^
 */
const closerStart: Step = (_scan, code) => (code === SLASH ? closerName : undefined)

const eitherStart: Step = (scan, code, text, at) => (code === SLASH ? closerName : openerStart(scan, code, text, at))

/**
 *     </think >
 *       ^^^^^^
 */
const closerName: Step = (scan, code, text, at) => {
  const name = text.slice(scan.mark + 2, at).toLowerCase()
  if (code !== GREATER && !isSpace(code)) return mayBecomeOneOf(scan.closers, name, text, at) ? closerName : undefined
  if (!scan.closers.includes(name)) return undefined
  return code === GREATER ? 'closed' : closerEnd
}

/**
 *     </think >
 *             ^
 */
const closerEnd: Step = (_scan, code) => {
  if (isSpace(code)) return closerEnd
  return code === GREATER ? 'closed' : undefined
}

/**
 *     <think a="1" >
 *            ^     ^
 */
const beforeAttribute: Step = (_scan, code) => {
  if (isSpace(code)) return beforeAttribute
  if (code === GREATER) return 'opened'
  return isNamePart(code) ? attributeName : undefined
}

/**
 * An attribute without a value does not count: `<think so>` is prose.
 *
 *     <think a="1">
 *             ^
 */
const attributeName: Step = (_scan, code) => {
  if (code === EQUALS) return beforeValue
  return isNamePart(code) ? attributeName : undefined
}

/**
 *     <think a="1" b=2>
 *              ^     ^
 */
const beforeValue: Step = (_scan, code) => {
  if (code === QUOTE) return inQuotes
  if (code === APOSTROPHE) return inApostrophes
  return isSpace(code) || code === GREATER ? undefined : bareValue
}

const inQuotes: Step = (_scan, code) => (code === QUOTE ? afterValue : inQuotes)

const inApostrophes: Step = (_scan, code) => (code === APOSTROPHE ? afterValue : inApostrophes)

/**
 *     <think a="1">
 *                 ^
 */
const afterValue: Step = (_scan, code) => {
  if (isSpace(code)) return beforeAttribute
  return code === GREATER ? 'opened' : undefined
}

/**
 *     <think b=2>
 *               ^
 */
const bareValue: Step = (_scan, code) => {
  if (isSpace(code)) return beforeAttribute
  if (code === GREATER) return 'opened'
  return code === QUOTE || code === APOSTROPHE || code === BACKTICK ? undefined : bareValue
}

/** Whether a name, with the character at `at`, may still become one of `names`. */
function mayBecomeOneOf(names: readonly string[], name: string, text: string, at: number): boolean {
  const longer = name + text.charAt(at).toLowerCase()
  return names.some((candidate) => candidate.startsWith(longer))
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isNamePart(code: number): boolean {
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
  return isLetter || (code >= 0x30 && code <= 0x3a) || code === 0x5f || code === 0x2d
}
