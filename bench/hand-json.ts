/**
 * The floor of row 2: an incremental parser written by hand, that changes one tree in place and shows it as it is.
 * Nothing is shared or kept immutable, and bad input is not its concern.
 */
export function createHandJson(): { push(text: string): unknown } {
  const stack: (unknown[] | Record<string, unknown>)[] = []
  let root: unknown
  let key: string | undefined
  let token = ''
  let mode: 'value' | 'string' | 'key' | 'escape' | 'keyEscape' | 'scalar' = 'value'
  let hex = -1

  function put(value: unknown): void {
    const top = stack.at(-1)
    if (top === undefined) root = value
    else if (Array.isArray(top)) top.push(value)
    else top[key as string] = value
  }

  /** Shows the string that is under way. */
  function show(): void {
    const top = stack.at(-1)
    if (mode !== 'string' || top === undefined || Array.isArray(top)) return
    top[key as string] = token
  }

  function readEscape(letter: string): void {
    const plain = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[letter]
    if (letter === 'u') {
      hex = 0
      return
    }
    token += plain ?? letter
    mode = mode === 'escape' ? 'string' : 'key'
  }

  return {
    push(text) {
      for (let at = 0; at < text.length; at++) {
        const letter = text[at] as string
        if (hex >= 0) {
          hex++
          if (hex === 4) {
            hex = -1
            mode = mode === 'escape' ? 'string' : 'key'
          }
        } else if (mode === 'escape' || mode === 'keyEscape') readEscape(letter)
        else if (mode === 'string' || mode === 'key') {
          let end = at
          while (end < text.length && text[end] !== '"' && text[end] !== '\\') end++
          token += text.slice(at, end)
          at = end
          if (text[end] === '\\') mode = mode === 'string' ? 'escape' : 'keyEscape'
          else if (text[end] === '"') {
            if (mode === 'key') key = token
            else put(token)
            mode = 'value'
          }
        } else if (letter === '"') {
          const top = stack.at(-1)
          mode = top !== undefined && !Array.isArray(top) && key === undefined ? 'key' : 'string'
          token = ''
        } else if (letter === '{' || letter === '[') {
          const container = letter === '{' ? {} : []
          put(container)
          stack.push(container)
          key = undefined
        } else if (letter === '}' || letter === ']' || letter === ',') {
          if (token !== '' && mode === 'scalar') put(JSON.parse(token))
          mode = 'value'
          token = ''
          key = undefined
          if (letter !== ',') stack.pop()
        } else if (letter !== ':' && letter !== ' ' && letter !== '\n') {
          if (mode !== 'scalar') token = ''
          mode = 'scalar'
          token += letter
        }
      }
      show()
      return root
    },
  }
}
