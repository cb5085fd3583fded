/**
 * The agent of the first system, in Python: helpers that print `{"type", "data"}` on a line of their own, and a report that is
 * printed in two halves. It waits between them for the file `go` beside it, so that a page can be reloaded in the middle.
 */
export const RESEARCH_AGENT = `import json
import os
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def emit(event_type, data=None):
    print(json.dumps({"type": event_type, "data": data or {}}), flush=True)


def emit_status(message): emit("status", {"message": message})
def emit_text(content): emit("text", {"content": content})
def emit_think(thought): emit("think", {"thought": thought})


emit("start", {"prompt_preview": "When does the harbour", "architecture": "orchestrator_subagent"})
emit_status("Research agent starting...")
emit("todo_create", {"items": [{"content": "Find the tide table", "status": "pending"}, {"content": "Write it down", "status": "pending"}]})
emit("subagent_start", {"agent": "tide-agent", "task": "Find the tide table"})
emit("search", {"id": "s1", "query": "tide table harbour", "topic": "general"})
emit("search_result", {"count": 1, "results": [{"title": "Tides", "url": "https://example.com/tides"}]})
emit_think("One table is enough.")
emit("subagent_complete", {"agent": "tide-agent", "summary": "Low water is at 14:20."})
emit("todo_done", {"item": "Find the tide table", "index": 0})
emit_think("Now the answer.")
emit_text("# Harbour\\n\\nIt dries out at low water, ")
while not os.path.exists(os.path.join(HERE, "go")):
    time.sleep(0.02)
emit_text("which is at 14:20.")
emit("usage", {"input_tokens": 1000, "output_tokens": 500})
emit("usage_total", {"input_tokens": 5000, "output_tokens": 2500})
emit("result", {"duration_ms": 45000, "num_turns": 12})
emit("done")
`
