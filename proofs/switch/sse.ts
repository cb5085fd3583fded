/** The JSON of the data of a stream of server-sent events, as it comes. A comment is no event. */
export async function* readSse<Frame>(response: Response): AsyncGenerator<Frame> {
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  let text = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (text + piece).split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame
        .split('\n')
        .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []))
        .join('\n')
      if (data !== '') yield JSON.parse(data) as Frame
    }
  }
}
