import { observationText } from '../../meaning/pane-routes.ts'
import type { ProgressReport, ToolSegment } from '../shapes.ts'

/** Something that a tool said. */
export interface Observation {
  readonly channel: ProgressReport['channel'] | 'output' | 'error'
  readonly text: string
  readonly isError: boolean
}

/** All that a call said, in order: what it reported while it ran, its output, and what it failed with. */
export function observationsOf({ progress: reports = [], output, error, state }: ToolSegment): readonly Observation[] {
  const isError = state === 'failed'
  const reported = reports.map((report) => ({ channel: report.channel, text: reportTextOf(report), isError: false }))
  const observations: Observation[] = reported.filter(({ text }) => text !== '')
  const outputText = observationText(output)
  // Many tools stream what they print and then give all of it again as their output.
  const isRepeated =
    outputText.trim() ===
    reported
      .map(({ text }) => text)
      .join('')
      .trim()
  const isNeeded = !isRepeated || (isError && error === undefined)
  if (outputText.trim() !== '' && isNeeded) observations.push({ channel: 'output', text: outputText, isError })
  if (isError && error !== undefined && error !== outputText)
    observations.push({ channel: 'error', text: error, isError })
  return observations
}

function reportTextOf({ text, data }: ProgressReport): string {
  return text ?? observationText(data)
}
