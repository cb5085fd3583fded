/**
 * The floor of row 7: a state machine for `<think>` and `</think>` written by hand. It knows one tag, no attributes and
 * no code, and holds back what may be the beginning of a tag.
 */
export function createHandThink(emit: (text: string, isThinking: boolean) => void): { push(text: string): void } {
  let held = ''
  let isThinking = false
  return {
    push(text) {
      let rest = held + text
      held = ''
      for (;;) {
        const tag = isThinking ? '</think>' : '<think>'
        const at = rest.indexOf('<')
        if (at === -1) break
        if (at > 0) emit(rest.slice(0, at), isThinking)
        rest = rest.slice(at)
        if (rest.startsWith(tag)) {
          isThinking = !isThinking
          rest = rest.slice(tag.length)
        } else if (tag.startsWith(rest)) {
          held = rest
          return
        } else {
          emit('<', isThinking)
          rest = rest.slice(1)
        }
      }
      if (rest !== '') emit(rest, isThinking)
    },
  }
}
