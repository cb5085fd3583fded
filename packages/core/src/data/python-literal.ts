import type { Json } from '../json.ts'

/** How deep a literal may be nested. */
const MOST_LEVELS = 100

const NAMES = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
])
const ESCAPES = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', '0': '\0' }))
const NUMBER = /[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const NAME = /[A-Za-z_]\w*/y
const SPACE = /\s*/y

/** Reads dictionaries, lists, tuples, strings, numbers and names as Python prints them; undefined for any other text. */
export function readPythonLiteral(text: string): Json | undefined {
  const reader = createReader(text)
  try {
    const value = reader.value(0)
    return reader.isAtEnd() ? value : undefined
  } catch {
    return undefined
  }
}

interface Reader {
  value(depth: number): Json
  isAtEnd(): boolean
}

/** Throws if the text is not a literal. */
function createReader(text: string): Reader {
  let at = 0

  function match(pattern: RegExp): string {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(text) ?? []
    at += found.length
    return found
  }

  function next(): string {
    match(SPACE)
    return text[at] ?? ''
  }

  function expect(sign: string): void {
    if (next() !== sign) throw new SyntaxError(`No ${sign} at ${at}`)
    at++
  }

  function value(depth: number): Json {
    if (depth > MOST_LEVELS) throw new SyntaxError('Nested too deep')
    const sign = next()
    if (sign === '{') return dictionary(depth)
    if (sign === '[') return list('[', ']', depth)
    if (sign === '(') return list('(', ')', depth)
    if (sign === "'" || sign === '"') return strings()
    return scalar()
  }

  /** The items between two signs; a comma may follow the last. */
  function items<Item>(open: string, close: string, read: () => Item): Item[] {
    const found: Item[] = []
    expect(open)
    while (next() !== close) {
      found.push(read())
      if (next() !== close) expect(',')
    }
    at++
    return found
  }

  function dictionary(depth: number): Json {
    const pairs = items('{', '}', () => {
      const key = value(depth + 1)
      expect(':')
      return [typeof key === 'string' ? key : JSON.stringify(key), value(depth + 1)] as const
    })
    return Object.fromEntries(pairs)
  }

  function list(open: string, close: string, depth: number): Json {
    return items(open, close, () => value(depth + 1))
  }

  /** Adjacent strings are one string. */
  function strings(): string {
    let whole = ''
    for (let sign = next(); sign === "'" || sign === '"'; sign = next()) whole += string(sign)
    return whole
  }

  function string(sign: string): string {
    const quote = text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign
    at += quote.length
    let read = ''
    while (!text.startsWith(quote, at)) {
      const start = at
      while (at < text.length && text[at] !== '\\' && text[at] !== sign) at++
      if (at >= text.length) throw new SyntaxError('A string without an end')
      read += text.slice(start, at)
      if (text[at] === '\\') read += escaped()
      else if (!text.startsWith(quote, at)) read += text[at++]
    }
    at += quote.length
    return read
  }

  function escaped(): string {
    const sign = text[at + 1] ?? ''
    at += 2
    if (sign === '\n') return ''
    const digits = { x: 2, u: 4, U: 8 }[sign]
    if (digits === undefined) return ESCAPES.get(sign) ?? ('\'"\\'.includes(sign) ? sign : `\\${sign}`)
    const code = text.slice(at, at + digits)
    at += digits
    if (!/^[\da-fA-F]+$/.test(code) || code.length < digits) throw new SyntaxError('Not a character code')
    return String.fromCodePoint(Number.parseInt(code, 16))
  }

  function scalar(): Json {
    const number = match(NUMBER)
    if (number !== '') return finite(Number(number.replaceAll('_', '')))
    const named = NAMES.get(match(NAME))
    if (named === undefined) throw new SyntaxError(`No literal at ${at}`)
    return named
  }

  return { value, isAtEnd: () => next() === '' }
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw new SyntaxError('A number that JSON cannot represent')
  return number
}
