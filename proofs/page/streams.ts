/** Streams of `{type, data}` lines that are as large as real sessions become. */
type Line = object

const tool = (id: number, content: string): readonly Line[] => [
  { type: 'tool_use', data: { id: `call${id}`, name: 'Bash', input: { command: `npm test -- part-${id}` } } },
  { type: 'tool_result', data: { tool_use_id: `call${id}`, content } },
]

const text = (content: string): Line => ({ type: 'text', data: { content } })

/** Texts and calls in turn, so that no neighbours are joined: each is a piece. */
export function* pieces(count: number): Generator<Line> {
  for (let id = 0; id < count / 2; id++) {
    yield text(`Step ${id}: the gauge **reads** \`${id % 97}\`, which is what I expected.`)
    yield* tool(id, `ok ${id}`)
  }
  yield { type: 'done', data: {} }
}

const LINE_OF_LOG = 'src/stream/hub.ts(41,7): the viewer of run 8f21 has read entry 1284 and waits for the next one\n'

/** A session with this many bytes of calls and their outputs. */
export function* session(bytes: number): Generator<Line> {
  const output = LINE_OF_LOG.repeat(80)
  for (let id = 0; id * output.length < bytes; id++) {
    yield text(`I look at part ${id}.\n\n- It has **${id % 13}** tests.\n- \`part-${id}\` is the last of them.`)
    yield* tool(id, `${id}\n${output}`)
  }
  yield { type: 'done', data: {} }
}

/** One call whose output has this many lines, each in three colours. */
export function* colouredLines(count: number): Generator<Line> {
  const line = (id: number) =>
    `\x1b[32m✓\x1b[39m test/part-${id}.test.ts \x1b[2m(${id % 31} tests)\x1b[22m \x1b[33m${id % 900} ms\x1b[39m`
  yield text('I run all tests.')
  yield* tool(0, Array.from({ length: count }, (_, id) => line(id)).join('\n'))
  yield text('All of them pass.')
  yield { type: 'done', data: {} }
}

/** An answer in markdown, with everything that an answer has, cut into pieces of this length. */
export function markdownChunks(bytes: number, length: number): readonly string[] {
  const section = (id: number) =>
    `## Part ${id}\n\nThe **gauge** reads _${id * 7}_ and the [page](https://example.com/${id}) says \`why\`. It follows that ` +
    'the water is slower than the wheel, and that the log of the mill holds more than one of them has noticed.\n\n' +
    `1. first\n2. second, with **weight**\n   - inner ${id}\n3. third\n\n| part | flow |\n|---|---:|\n| ${id} | 0.4${id % 10} |\n| next | 1.2 |\n\n` +
    `\`\`\`ts\nexport const flow${id} = (level: number) => level * ${id} + 0.42 // litres a second\n\`\`\`\n\n> It is old, but it turns.\n\n`
  let text = ''
  for (let id = 1; text.length < bytes; id++) text += section(id)
  const whole = text.slice(0, bytes)
  return Array.from({ length: Math.ceil(bytes / length) }, (_, nth) => whole.slice(nth * length, (nth + 1) * length))
}

/** The lines as the bytes of a request. */
export function bodyOf(lines: Iterable<Line>): Blob {
  return new Blob(Array.from(lines, (line) => `${JSON.stringify(line)}\n`))
}
