/** A range of code: plain, or of a kind that has a colour. */
export interface Token {
  readonly text: string
  readonly kind: 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'call'
}

const KEYWORDS = new Set(
  `abstract and as async await bool break case catch char class const continue def default defer del delete do elif else
  end enum except export extends false False final finally float fn for from func function go if impl implements import in
  instanceof int interface is lambda let long loop match mod module mut new nil None not null or package pass pub private
  protected public raise readonly ref return select self static str string struct super switch then this throw trait true
  True try type typeof undefined union unless until use using var void where while with yield select insert update create
  table values into set echo fi done esac local`.split(/\s+/),
)

/** Languages whose comments begin with `#`; in others it is a colour, a heading or a private field. */
const HASH_COMMENTS = new Set(['bash', 'sh', 'shell', 'zsh', 'python', 'py', 'ruby', 'rb', 'yaml', 'yml', 'toml', 'r'])
const PROSE = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'md', 'markdown', 'console', 'output', 'log'])

/** Longer code stays plain, because colouring it would slow down the page. */
const MOST = 20_000

const TOKEN =
  /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?:^|(?<=\s))#[^\n]*|(?<=^|\s)--\s[^\n]*)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[\s\S])*`?)|(\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|([A-Za-z_$][\w$]*)(?=(\s*\()?)/gm

/** One lexer for all languages: it colours only what most of them share. */
export function tokensOf(code: string, language: string): readonly Token[] {
  if (PROSE.has(language) || code.length > MOST) return [{ text: code, kind: 'plain' }]
  const tokens: Token[] = []
  let at = 0
  for (const match of code.matchAll(TOKEN)) {
    const kind = kindOf(match, language)
    if (kind === 'plain') continue
    if (match.index > at) tokens.push({ text: code.slice(at, match.index), kind: 'plain' })
    tokens.push({ text: match[0], kind })
    at = match.index + match[0].length
  }
  if (at < code.length) tokens.push({ text: code.slice(at), kind: 'plain' })
  return tokens
}

function kindOf([, comment, string, number, word, call]: RegExpExecArray, language: string): Token['kind'] {
  if (comment !== undefined) return comment.startsWith('#') && !HASH_COMMENTS.has(language) ? 'plain' : 'comment'
  if (string !== undefined) return 'string'
  if (number !== undefined) return 'number'
  if (word !== undefined && KEYWORDS.has(word)) return 'keyword'
  return call === undefined ? 'plain' : 'call'
}
