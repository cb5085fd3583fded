const event = (id: string, segments: readonly object[] = []) => ({
  id,
  role: 'assistant',
  segments,
  ts: 1_763_200_002_280,
})

/** The answer of the fourth system's server, frame by frame: two Events in one request, calls between them, events of every kind. */
export const FIRST_HALF: readonly object[] = [
  { type: 'event_start', data: { event: event('evt_1') } },
  { type: 'reasoning_start', item_id: 'rs_1', output_index: 0, sequence_number: 1 },
  { type: 'reasoning_summary_text_delta', item_id: 'rs_1', summary_index: 0, delta: 'Tide and ', sequence_number: 2 },
  {
    type: 'reasoning_summary_text_delta',
    item_id: 'rs_1',
    summary_index: 0,
    delta: 'wind decide.',
    sequence_number: 3,
  },
  {
    type: 'reasoning_summary_text_delta',
    item_id: 'rs_1',
    summary_index: 1,
    delta: 'I ask for both.',
    sequence_number: 4,
  },
  {
    type: 'reasoning_complete',
    item_id: 'rs_1',
    parts: ['Tide and wind decide.', 'I ask for both.'].map((text, index) => ({
      summary_index: index,
      type: 'summary_text',
      text,
      sequence_number: 3 + index,
      is_complete: true,
    })),
    sequence_number: 5,
  },
  { type: 'token', content: 'I look ', hideProgress: true },
  { type: 'token', content: 'at both.', hideProgress: true },
  {
    type: 'tool_start',
    tool_id: 'call_tide',
    tool_name: 'get_tide',
    content: '🔧 *Using tool: get_tide*\n',
    hideProgress: true,
  },
  {
    type: 'tool_start',
    tool_id: 'call_wind',
    tool_name: 'get_wind',
    content: '🔧 *Using tool: get_wind*\n',
    hideProgress: true,
  },
  { type: 'tool_finalized', tool_id: 'call_tide', tool_name: 'get_tide', args: { harbour: 'Millport' } },
  { type: 'tool_finalized', tool_id: 'call_wind', tool_name: 'get_wind', args: { harbour: 'Millport' } },
]

/** The results come when the response of the provider is over, as its SDK runs tools. */
export const SECOND_HALF: readonly object[] = [
  { type: 'message_final', event: event('evt_1') },
  { type: 'tool_result', tool_id: 'call_tide', output: { content: 'High water at 06:12.' }, error: null },
  { type: 'tool_complete', tool_id: 'call_tide', content: '✅ Tool completed' },
  {
    type: 'tool_result',
    tool_id: 'call_wind',
    output: { error: 'The gauge is offline.' },
    error: 'The gauge is offline.',
  },
  { type: 'tool_complete', tool_id: 'call_wind', content: '❌ Tool failed' },
  { type: 'event_start', data: { event: event('evt_2') } },
  { type: 'token', content: 'Leave at ', hideProgress: true },
  { type: 'token', content: '**06:12**.', hideProgress: true },
  { type: 'message_final', event: event('evt_2') },
  { type: 'complete', metadata: { timestamp: 1_763_200_002_720 } },
]

export const sse = (frames: readonly object[]): string =>
  frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')

/** What the system has in its table of Events: rows of a conversation, with a question and a result as Events of their own. */
export const STORED: readonly object[] = [
  row('a0', 'user', [{ type: 'text', text: 'When may we leave?' }]),
  row('a1', 'assistant', [
    { type: 'text', text: 'I ask.' },
    { type: 'tool_call', id: 'c1', name: 'get_tide', args: { harbour: 'Millport' } },
    { type: 'tool_call', id: 'c2', name: 'get_wind', args: { harbour: 'Millport' } },
  ]),
  row('a2', 'tool', [{ type: 'tool_result', id: 'c1', output: { high: '06:12' } }]),
  row('a3', 'tool', [{ type: 'tool_result', id: 'c2', output: {}, error: 'The gauge is offline.' }]),
  row('a4', 'assistant', [{ type: 'text', text: 'Leave at 06:12.' }]),
]

function row(order: string, role: string, segments: readonly object[]): object {
  const stored = { conversation_id: 'conv_1', created_at: '2025-11-15T09:46:45.000Z', reasoning: null }
  return {
    ...stored,
    id: `evt_${order}`,
    order_key: order,
    role,
    segments,
    ts: 1_763_200_005_000,
    response_metadata: null,
  }
}
