import { Icon } from '../icon.tsx'
import { FileButton } from '../recordings/file-button.tsx'

export function RecordingCard() {
  return (
    <section className="card" aria-labelledby="open-recording">
      <h2 id="open-recording">Open a recording</h2>
      <FileButton className="drop-zone">
        <Icon name="import" />
        <b>Drop a file, or choose one</b>
        <span>.jsonl, .sse, .json · the format is detected</span>
        <span>Nothing leaves this machine</span>
      </FileButton>
    </section>
  )
}
