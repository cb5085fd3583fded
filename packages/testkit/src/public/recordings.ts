/** Streams as an agent sent them, from a folder or from bytes. */
export { eventsOf } from '../read-recording.ts'
export { type Recording, recordingOf, recordingsIn, recordsOf } from '../recordings.ts'
