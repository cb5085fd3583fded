import { useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { Link } from '../navigation.tsx'
import { FileButton } from '../recordings/file-button.tsx'
import { troubleText } from '../trouble.ts'

/** Recordings that come with the app. */
const samples = [
  { file: 'dropped-stream.jsonl', title: 'A dropped stream', of: 'Claude Code' },
  { file: 'flaky-test.jsonl', title: 'A flaky test', of: 'Codex' },
  { file: 'crash-mid-tool.jsonl', title: 'Crash in mid-tool', of: 'Claude Code' },
] as const

export function RecordingCard() {
  const { basePath, importFiles } = useApp()
  const [trouble, setTrouble] = useState<string>()

  /** Goes the way of every file that is dropped. */
  async function open(file: string): Promise<void> {
    setTrouble(undefined)
    try {
      const answer = await fetch(`${basePath}/recordings/${file}`)
      if (!answer.ok) throw new Error(`The server has no ${file}.`)
      importFiles([new File([await answer.blob()], file)])
    } catch (error) {
      setTrouble(troubleText(error))
    }
  }

  return (
    <section className="card" aria-labelledby="open-recording">
      <h2 id="open-recording">Open a recording</h2>
      <FileButton className="drop-zone">
        <Icon name="import" />
        <b>Drop files, or choose some</b>
        <span>.jsonl, .sse, .json · the format is detected</span>
        <span>Sent to this server only</span>
      </FileButton>
      <div className="samples">
        <span id="samples">Or open one of these:</span>
        <ul aria-labelledby="samples">
          {samples.map(({ file, title, of }) => (
            <li key={file}>
              <button type="button" className="sample" onClick={() => void open(file)}>
                <Icon name="record" />
                {title}
                <span>{of}</span>
              </button>
            </li>
          ))}
        </ul>
        {trouble !== undefined && <p role="alert">{trouble}</p>}
      </div>
    </section>
  )
}

/** The way to the page that shows what Millrace is for. */
export const FormatsLink = () => (
  <Link to={{ name: 'formats' }} className="card formats-link">
    <Icon name="wires" />
    <span>
      <b>One scenario, five formats</b> Five streams, one picture: kill the server in the middle, and see what is lost
    </span>
    <Icon name="right" />
  </Link>
)
