/** For tests: one server-sent event as it was sent. */
export interface Frame {
  readonly id: string | undefined
  readonly data: string
}

/** The complete frames of a text; an incomplete one at the end is left out. */
export function framesOf(text: string): readonly Frame[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2)
  return whole.split('\n\n').flatMap((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1]
    return data === undefined ? [] : [{ id: /^id: (.*)$/m.exec(block)?.[1], data }]
  })
}

/** Reads a response while it arrives. */
export function reading(response: Response) {
  if (response.body === null) throw new Error('the response has no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''

  /** Reads what comes next. Throws at the end. */
  async function more(wanted = 'what comes next'): Promise<void> {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the stream ended without ${wanted}: ${text.slice(-200)}`)
    text += value
  }

  return {
    text: () => text,
    more,
    /** Reads until the text contains this. */
    async until(part: string): Promise<string> {
      while (!text.includes(part)) await more(part)
      return text
    },
    async rest(): Promise<string> {
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
      return text
    },
    leave: () => reader.cancel(),
  }
}
