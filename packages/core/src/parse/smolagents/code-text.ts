/** A part of the text of a step. An empty part of code is its beginning. */
export interface TextPart {
  readonly kind: 'text' | 'code'
  readonly text: string
}

const OPEN = '<code>'
const CLOSE = '</code>'
/** Between two pieces of code of one step, which run as one. */
const BETWEEN = '\n\n'

/**
 * Divides the text of a step into what the model says and the code that it writes between tags. The opening tag is the
 * first word of a line: within a sentence it is text. Code is given without the white space around it, as it is run.
 */
export function createCodeText() {
  let isCode = false
  /** The end of what was read, if it may be the beginning of a tag. */
  let held = ''
  /** Whether the current line of the text is blank so far. */
  let isBlank = true
  /** White space of the code, which counts once more code follows. */
  let space = ''
  let hasCode = false
  /** No code has followed the opening tag. */
  let isFresh = true

  function addText(parts: TextPart[], text: string): void {
    if (text === '') return
    const line = text.lastIndexOf('\n') + 1
    isBlank = (line > 0 || isBlank) && /^[ \t]*$/.test(text.slice(line))
    parts.push({ kind: 'text', text })
  }

  function addCode(parts: TextPart[], text: string): void {
    const code = text.trim()
    if (code === '') {
      space += text
      return
    }
    const [before, after] = text.split(code, 2)
    const spaceBefore = isFresh ? (hasCode ? BETWEEN : '') : space + before
    space = after ?? ''
    hasCode = true
    isFresh = false
    parts.push({ kind: 'code', text: spaceBefore + code })
  }

  /** Where the next tag begins: an opening tag is the first word of its line. */
  function nextTag(text: string): number {
    if (isCode) return text.indexOf(CLOSE)
    for (let at = text.indexOf(OPEN); at !== -1; at = text.indexOf(OPEN, at + 1)) {
      const line = text.lastIndexOf('\n', at) + 1
      const isFirst = /^[ \t]*$/.test(text.slice(line, at)) && (line > 0 || isBlank)
      if (isFirst) return at
    }
    return -1
  }

  function addPart(parts: TextPart[], text: string): void {
    if (isCode) addCode(parts, text)
    else addText(parts, text)
  }

  function openOrClose(parts: TextPart[]): void {
    isCode = !isCode
    isBlank = false
    isFresh = true
    space = ''
    if (isCode && !hasCode) parts.push({ kind: 'code', text: '' })
  }

  return {
    push(text: string): readonly TextPart[] {
      const parts: TextPart[] = []
      let rest = held + text
      held = ''
      for (let at = nextTag(rest); at !== -1; at = nextTag(rest)) {
        addPart(parts, rest.slice(0, at))
        rest = rest.slice(at + (isCode ? CLOSE : OPEN).length)
        openOrClose(parts)
      }
      held = beginningOf(isCode ? CLOSE : OPEN, rest)
      addPart(parts, rest.slice(0, rest.length - held.length))
      return parts
    },
    /** No more text follows: what was held back is no tag. */
    end(): readonly TextPart[] {
      const parts: TextPart[] = []
      addPart(parts, held)
      held = ''
      return parts
    },
  }
}

/** A whole text, divided. */
export function divideCode(whole: string): { readonly text: string; readonly code: string | undefined } {
  const divided = createCodeText()
  const parts = [...divided.push(whole), ...divided.end()]
  const joined = (kind: TextPart['kind']) => parts.filter((part) => part.kind === kind).map(({ text }) => text)
  const code = joined('code')
  return { text: joined('text').join(''), code: code.length === 0 ? undefined : code.join('') }
}

/** The end of the text that may be the beginning of the tag. */
function beginningOf(tag: string, text: string): string {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return tag.slice(0, length)
  }
  return ''
}
