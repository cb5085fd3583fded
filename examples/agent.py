"""An agent in Python. Try it: PYTHONPATH=packages/agent npx millrace serve --agent 'survey=python3 examples/agent.py'"""
from millrace_emit import ask, emit_done, emit_status, emit_text, emit_tool_result, emit_tool_use, read_input

task = read_input()
emit_status("Reading the gauge")
call = emit_tool_use("read_gauge", {"stream": "Mill Brook"})
emit_tool_result(call, "0.42 m³/s")
if ask("May I write survey.md?")["state"] == "approved":
    with open("survey.md", "w", encoding="utf-8") as file:
        file.write(task["text"])
    emit_text("The survey is written. ")
emit_text("The brook carries enough.")
emit_done()
