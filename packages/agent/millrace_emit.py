"""What a program prints and hears as an agent of Millrace: one line of JSON each way. Python 3.9 or newer, no dependency."""
import itertools
import json
import os
import sys
import threading

_out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
# A stray print must not break the stream.
sys.stdout = sys.stderr
_lock = threading.Lock()
_calls = itertools.count(1)
_questions = itertools.count(1)
_answers = {}
_messages = []
_state = {"stopping": False, "closed": False}
_arrived = threading.Condition()
_inputs = []


def emit(type, data=None):
    """Prints one line, flushed. Silent once nobody reads any more."""
    text = json.dumps({"type": type, "data": data or {}}, ensure_ascii=False)
    # A lone surrogate is not valid in UTF-8: such a line is escaped.
    line = json.dumps(json.loads(text)) if _has_surrogate(text) else text
    with _lock:
        try:
            _out.write(line + "\n")
            _out.flush()
        except (BrokenPipeError, ValueError):
            pass


def _has_surrogate(text):
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def emit_status(message): emit("status", {"message": message})
def emit_text(content): emit("text", {"content": content})
def emit_think(thought): emit("think", {"thought": thought})
def emit_subagent_start(agent, task): emit("subagent_start", {"agent": agent, "task": task})
def emit_subagent_complete(agent, summary): emit("subagent_complete", {"agent": agent, "summary": summary})
def emit_todo_create(items): emit("todo_create", {"items": items})
def emit_todo_update(items): emit("todo_update", {"items": items})
def emit_todo_done(item, index): emit("todo_done", {"item": item, "index": index})
def emit_usage(**counts): emit("usage", counts)
def emit_done(): emit("done")


def emit_error(message, code=None):
    emit("error", {"message": message, **({"code": code} if code else {})})


def emit_session(id, at=None):
    emit("session", {"id": id, **({"at": at} if at else {})})


def emit_tool_use(name, input):
    """Returns the id of the call, for its result."""
    id = f"call-{next(_calls)}"
    emit("tool_use", {"id": id, "name": name, "input": input})
    return id


def emit_tool_result(call_id, content, is_error=False):
    emit("tool_result", {"tool_use_id": call_id, "content": content, **({"is_error": True} if is_error else {})})


def _listen():
    for line in sys.stdin:
        message = json.loads(line)
        kind, data = message["type"], message["data"]
        with _arrived:
            if kind == "input":
                _inputs.append(data)
            elif kind == "answer":
                _answers[data["id"]] = data
            elif kind == "message":
                _messages.append(data["text"])
            elif kind == "stop":
                _state["stopping"] = True
            _arrived.notify_all()
    with _arrived:
        _state["stopping"] = _state["closed"] = True
        _arrived.notify_all()


def _start():
    if "thread" not in _state:
        _state["thread"] = threading.Thread(target=_listen, daemon=True)
        _state["thread"].start()


def read_input():
    """The task of this run: text, files, history, session, cwd."""
    _start()
    with _arrived:
        _arrived.wait_for(lambda: _inputs or _state["closed"])
        return _inputs[0] if _inputs else {"text": "", "files": [], "history": []}


def ask(message, request=None, call_id=None):
    """Asks a person, and waits. The state is approved, denied, answered, or expired if the run is stopped."""
    _start()
    id = f"question-{next(_questions)}"
    extra = {key: value for key, value in (("request", request), ("call_id", call_id)) if value is not None}
    emit("ask", {"id": id, "message": message, **extra})
    with _arrived:
        _arrived.wait_for(lambda: id in _answers or _state["stopping"])
        return _answers.get(id, {"state": "expired"})


def messages():
    """What persons have said since the last call."""
    with _arrived:
        taken, _messages[:] = list(_messages), []
        return taken


def stopping():
    """Whether the run shall stop."""
    return _state["stopping"]
