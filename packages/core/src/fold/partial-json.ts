import type { Json } from '../json.ts'
import { type Container, type Later, put, settled, withInner } from './partial-json/container.ts'

/** Reads JSON that is still being written. Each character is read once, however the text is split. */
export interface PartialJson {
  push(text: string): void
  /**
   * The value so far; undefined before the first value begins. A returned value never changes, and shares its complete
   * parts with the next one.
   */
  value(): Json | undefined
}

type State = (code: number, at: number, text: string) => number

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

const ESCAPES = new Map([...'"\\/bfnrt'].map((letter, index) => [letter, '"\\/\b\f\n\r\t'[index] as string]))
const LITERALS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const HEXADECIMAL = /^[0-9a-fA-F]+$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

export function createPartialJson(): PartialJson {
  const open: Container[] = []
  let root: Json | undefined
  /** The string, number or literal that is being read. */
  let token = ''
  let isKey = false
  /** The digits of a `\\u` escape so far. */
  let digits = ''
  let state: State = value
  let cached: Json | undefined
  let isCached = false

  /** Each state reads the character at `at` and returns the position to continue at. */
  function value(code: number, at: number): number {
    if (isSpace(code)) return at + 1
    token = ''
    if (code === QUOTE) {
      isKey = false
      state = string
      return at + 1
    }
    if (code === OPEN_BRACE) return enter({ items: undefined, fields: {}, key: '' }, keyOrEnd, at)
    if (code === OPEN_BRACKET) return enter({ items: [], fields: undefined, key: '' }, itemOrEnd, at)
    state = scalar
    return at
  }

  function enter(container: Container, next: State, at: number): number {
    open.push(container)
    state = next
    return at + 1
  }

  function itemOrEnd(code: number, at: number): number {
    if (code === CLOSE_BRACKET) return leave(at)
    if (!isSpace(code)) state = value
    return isSpace(code) ? at + 1 : at
  }

  function keyOrEnd(code: number, at: number): number {
    return code === CLOSE_BRACE ? leave(at) : key(code, at)
  }

  function key(code: number, at: number): number {
    if (isSpace(code)) return at + 1
    if (code !== QUOTE) return fail()
    token = ''
    isKey = true
    state = string
    return at + 1
  }

  function colon(code: number, at: number): number {
    if (code === COLON) state = value
    else if (!isSpace(code)) return fail()
    return at + 1
  }

  function commaOrEnd(code: number, at: number): number {
    if (isSpace(code)) return at + 1
    const isArray = open.at(-1)?.items !== undefined
    if (code === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) return leave(at)
    if (code !== COMMA) return fail()
    state = isArray ? value : key
    return at + 1
  }

  /** Reads everything up to the next quote or backslash at once. */
  function string(_code: number, at: number, text: string): number {
    let end = at
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === QUOTE || code === BACKSLASH) break
    }
    if (end > at) token += text.slice(at, end)
    if (end === text.length) return end
    if (text.charCodeAt(end) === BACKSLASH) state = escaped
    else if (isKey) {
      const top = open.at(-1)
      if (top !== undefined) top.key = token
      state = colon
    } else complete(token)
    return end + 1
  }

  function escaped(_code: number, at: number, text: string): number {
    const letter = text.charAt(at)
    const plain = ESCAPES.get(letter)
    if (plain === undefined) {
      if (letter !== 'u') return fail()
      digits = ''
      state = unicode
    } else {
      token += plain
      state = string
    }
    return at + 1
  }

  function unicode(_code: number, at: number, text: string): number {
    digits += text.charAt(at)
    if (!HEXADECIMAL.test(digits)) return fail()
    if (digits.length === 4) {
      token += String.fromCharCode(Number.parseInt(digits, 16))
      state = string
    }
    return at + 1
  }

  function scalar(_code: number, at: number, text: string): number {
    let end = at
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (isSpace(code) || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) break
    }
    token += text.slice(at, end)
    if (end === text.length) return end
    const read = scalarOf(token)
    if (read === undefined) return fail()
    complete(read)
    return end
  }

  /** Adds a complete value to its container. It does not change any more. */
  function complete(read: Json): void {
    const top = open.at(-1)
    token = ''
    state = top === undefined ? done : commaOrEnd
    if (top === undefined) root = read
    else put(top, read)
  }

  function leave(at: number): number {
    const closed = open.pop()
    complete(closed?.items ?? closed?.fields ?? null)
    return at + 1
  }

  /** Text after a complete value, or after a character that is not JSON, is ignored. */
  function done(): number {
    return Number.POSITIVE_INFINITY
  }

  function fail(): number {
    state = done
    return Number.POSITIVE_INFINITY
  }

  /** The scalar that is being read, if it can already be shown. */
  function pending(): Json | undefined {
    if (state === scalar) return scalarOf(token)
    const isInString = state === string || state === escaped || state === unicode
    return isInString && !isKey ? token : undefined
  }

  function build(): Json | undefined {
    let inner: Json | Later | undefined = pending()
    for (let level = open.length - 1; level >= 0; level--) inner = withInner(open[level] as Container, inner)
    return settled(inner) ?? root
  }

  return {
    push(text) {
      if (text === '') return
      isCached = false
      for (let at = 0; at < text.length; ) at = state(text.charCodeAt(at), at, text)
    },
    value() {
      if (!isCached) cached = build()
      isCached = true
      return cached
    },
  }
}

function scalarOf(token: string): Json | undefined {
  const literal = LITERALS.get(token)
  if (literal !== undefined) return literal
  // The beginning of `-0.5` is `-0`, whose sign JSON cannot represent.
  return NUMBER.test(token) ? Number(token) + 0 : undefined
}
