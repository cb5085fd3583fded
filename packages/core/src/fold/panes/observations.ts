import { observationText } from '../../meaning/pane-routes.ts'
import type { ProgressReport, ToolSegment } from '../shapes.ts'

/** A text that a tool reported, returned or failed with. */
export interface Observation {
  readonly channel: ProgressReport['channel'] | 'output' | 'error'
  readonly text: string
  readonly isError: boolean
}

/** The observations of a call in order: its progress reports, its output and its error. */
export function observationsOf({ progress: reports = [], output, error, state }: ToolSegment): readonly Observation[] {
  const isError = state === 'failed'
  const reported = reports.map((report) => ({ channel: report.channel, text: reportTextOf(report), isError: false }))
  const observations: Observation[] = reported.filter(({ text }) => text !== '')
  const outputText = observationText(output)
  // Many tools stream what they print and then return all of it again as their output.
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
