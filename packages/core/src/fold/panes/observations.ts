import { observationText } from '../../meaning/observation-text.ts'
import type { ProgressPiece, ToolSegment } from '../shapes.ts'

/** Something that a tool said. */
export interface Observation {
  readonly channel: ProgressPiece['channel'] | 'output' | 'error'
  readonly text: string
  readonly isError: boolean
}

/** All that a call said, in order: what it reported while it ran, its output, and what it failed with. */
export function observationsOf({ progress = [], output, error, state }: ToolSegment): readonly Observation[] {
  const isError = state === 'failed'
  const reports = progress.map((piece) => ({ channel: piece.channel, text: reportOf(piece), isError: false }))
  const observations: Observation[] = reports.filter(({ text }) => text !== '')
  const said = observationText(output)
  // Many tools stream what they print and then give all of it again as their output.
  const isRepeated =
    said.trim() ===
    reports
      .map(({ text }) => text)
      .join('')
      .trim()
  const isNeeded = !isRepeated || (isError && error === undefined)
  if (said.trim() !== '' && isNeeded) observations.push({ channel: 'output', text: said, isError })
  if (isError && error !== undefined && error !== said) observations.push({ channel: 'error', text: error, isError })
  return observations
}

function reportOf({ text, data }: ProgressPiece): string {
  return text ?? observationText(data)
}
