/** An identifier of a program, on a line from 1. */
export interface FoundName {
  readonly name: string
  readonly line: number
}

interface Token {
  readonly kind: 'name' | 'sign' | 'value'
  readonly text: string
  readonly start: number
  /** The bracket around it, as it was opened; empty at the top level. */
  readonly within: string
  readonly isFirstOnLine: boolean
}

/**
 * The names that a TypeScript file declares for variables, parameters, functions and types, at their declarations and
 * at every use: a file that declares none of the wanted names gives none. Imported names are declared elsewhere. Names of
 * properties do not count: in types, in object literals, before the colon of a destructuring, behind a dot, and as
 * attributes of JSX. This is a scanner, not a parser: it relies on the layout that Biome gives our sources.
 */
export function bindingNames(source: string, isWanted: (name: string) => boolean): readonly FoundName[] {
  const tokens = tokensOf(source)
  const imported = importedNames(tokens)
  const isDeclared = (name: string) => isWanted(name) && !imported.has(name)
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'name' || !isDeclared(token.text) || isProperty(tokens, index) || isJsx(source, tokens, index))
      return []
    return [{ name: token.text, line: source.slice(0, token.start).split('\n').length }]
  })
}

/** The names that a file takes from others, under the name that they have there. */
function importedNames(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>()
  let isImport = false
  for (const [index, { kind, text }] of tokens.entries()) {
    if (text === 'import' && tokens[index + 1]?.kind !== 'sign') isImport = true
    else if (text === 'import') isImport = tokens[index + 1]?.text === '{'
    else if (kind === 'value' || text === 'from') isImport = false
    else if (isImport && kind === 'name' && tokens[index - 1]?.text !== 'as') names.add(text)
  }
  return names
}

const MODIFIERS = new Set(['readonly', 'static', 'async', 'get', 'set', 'public', 'private', 'protected', '*'])
const SEPARATORS = new Set(['{', ',', ';'])

function isProperty(tokens: readonly Token[], index: number): boolean {
  const { within, isFirstOnLine } = tokens[index] as Token
  const before = tokens[index - 1]?.text ?? ''
  if (before === '.' || before === '?.' || before === '#') return true
  const isMember =
    SEPARATORS.has(before) || MODIFIERS.has(before) || (isFirstOnLine && before !== '?' && before !== ':')
  if (within !== '{' || !isMember) return false
  const next = tokens[index + 1]?.text === '?' ? index + 2 : index + 1
  if (tokens[next]?.text === ':') return true
  return tokens[next]?.text === '(' && isMethod(tokens, next)
}

/** Whether a list of parameters follows, of a method or a method's signature, and not the arguments of a call. */
function isMethod(tokens: readonly Token[], open: number): boolean {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    const { text } = tokens[index] as Token
    if (text === '(') depth++
    if (text === ')') depth--
    if (depth > 0) continue
    const next = tokens[index + 1]
    return next?.text === ':' || (next?.text === '{' && !next.isFirstOnLine)
  }
  return false
}

const KEYWORDS = new Set(
  'abstract as asserts async await case catch class const default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let new of private protected public readonly return satisfies set static switch throw try type typeof unique var void while yield'.split(
    ' ',
  ),
)

/** An attribute, or a word of the text between two tags: no other two names follow each other on a line. */
function isJsx(source: string, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index] as Token
  const [before, next] = [tokens[index - 1], tokens[index + 1]]
  if (/^=["{]/.test(source.slice(token.start + token.text.length, token.start + token.text.length + 2))) return true
  if (before?.text === '>' && next?.text === '<' && source[next.start + 1] === '/') return true
  const isWord = (other: Token | undefined) => other?.kind === 'name' && !KEYWORDS.has(other.text)
  return (isWord(before) && !token.isFirstOnLine) || (isWord(next) && !next?.isFirstOnLine)
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const NUMBER = /\d[\w.]*/y
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const SIGN = /\.{3}|\?\.(?!\d)|=>|[\s\S]/y

/** After these, a slash begins a regular expression. */
const BEFORE_EXPRESSION = new Set([...'(,=:[!&|?{};+-*%~^', '=>', 'return', 'typeof', 'case', 'in', 'of'])
const PAIRS: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}' }

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  const open: string[] = []
  let at = 0
  let isFirstOnLine = true

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }

  function add(kind: Token['kind'], text: string): void {
    tokens.push({ kind, text, start: at, within: open.at(-1) ?? '', isFirstOnLine })
    isFirstOnLine = false
    at += text.length
  }

  /** The text of a template, up to its end or to the next substitution. */
  function template(): void {
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) at += source[at] === '\\' ? 2 : 1
    const isEnd = source[at] !== '$'
    at += isEnd ? 0 : 1
    add(isEnd ? 'value' : 'sign', isEnd ? '`' : '{')
    if (!isEnd) open.push('${')
  }

  function sign(text: string): void {
    if (text === '}' && open.at(-1) === '${') {
      open.pop()
      at++
      template()
      return
    }
    if (open.length > 0 && text === PAIRS[open.at(-1) as string]) open.pop()
    add('sign', text)
    if (text in PAIRS) open.push(text)
  }

  while (at < source.length) {
    const space = match(SPACE)
    const name = space === undefined ? match(NAME) : undefined
    if (space !== undefined) {
      isFirstOnLine ||= space.includes('\n')
      at += space.length
    } else if (name !== undefined) add('name', name)
    else if (source[at] === '`') {
      at++
      template()
    } else {
      const mayBegin = tokens.length === 0 || BEFORE_EXPRESSION.has(tokens.at(-1)?.text ?? '')
      const isExpression = source[at] === '/' && source[at + 1] !== '>' && mayBegin
      const value = match(STRING) ?? match(NUMBER) ?? (isExpression ? match(REGULAR_EXPRESSION) : undefined)
      if (value !== undefined) add('value', value)
      else sign(match(SIGN) ?? '')
    }
  }
  return tokens
}
