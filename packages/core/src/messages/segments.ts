import type { FileSegment, Segment, ToolSegment } from '../fold/shapes.ts'

export const isToolSegment = (segment: Segment): segment is ToolSegment => segment.type === 'tool'
export const isFileSegment = (segment: Segment): segment is FileSegment => segment.type === 'file'
