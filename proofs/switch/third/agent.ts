/**
 * The agent of the third system: a program of its framework that prints each event it streams as the dictionary of its class. A
 * plan, a step in Python, a search, and an answer of title, content and sources. Long thoughts come slowly, so that a client
 * that gets the text so far sees it grow.
 */
export const SURVEY_AGENT = `import json
import time


def event(kind, **fields):
    print(json.dumps({"type": kind, **fields}), flush=True)


def delta(text):
    event("ChatMessageStreamDelta", content=text, tool_calls=None, token_usage=None)
    time.sleep(0.06)


def step(number, call, observation, text, is_final=False):
    tokens = {"input_tokens": 200 + number, "output_tokens": 30, "total_tokens": 230 + number}
    timing = {"start_time": 1763200010.0 + 10 * number, "end_time": 1763200011.5 + 10 * number, "duration": 1.5}
    event("ActionStep", step_number=number, timing=timing, model_input_messages=None, tool_calls=[call], error=None,
          model_output_message={"role": "assistant", "content": text, "tool_calls": None, "raw": None, "token_usage": tokens},
          model_output=text, code_action=None, observations=observation, observations_images=None, action_output=None,
          token_usage=tokens, is_final_answer=is_final)


PLAN = ["1. Compute the tide. ", "2. Look up the lock. ", "3. Answer."]
for piece in PLAN:
    delta(piece)
event("PlanningStep", model_input_messages=[], plan="\\n".join(PLAN),
      model_output_message={"role": "assistant", "content": "".join(PLAN), "tool_calls": None, "raw": None, "token_usage": None},
      timing={"start_time": 1763200010.0, "end_time": 1763200010.8, "duration": 0.8},
      token_usage={"input_tokens": 50, "output_tokens": 12, "total_tokens": 62})

CODE = 'tide = get_tide(harbour="Millport")\\nprint(tide)'
THOUGHT = "Thought: " + "The tide of Millport decides when the lock may be opened at all. " * 3
for at in range(0, len(THOUGHT), 16):
    delta(THOUGHT[at:at + 16])
delta("\\n<code>\\n" + CODE + "\\n")
call = {"id": "call_1", "type": "function", "function": {"name": "python_interpreter", "arguments": CODE}}
event("function", id="call_1", function=call["function"])
event("ActionOutput", output="High water at 06:12.", is_final_answer=False)
step(1, call, "Execution logs:\\nHigh water at 06:12.", THOUGHT + "\\n<code>\\n" + CODE + "\\n</code>")

delta("I look up the lock.")
call = {"id": "call_2", "type": "function", "function": {"name": "search", "arguments": {"query": "lock Millport"}}}
event("function", id="call_2", function=call["function"])
event("ToolOutput", id="call_2", output="The lock opens at 06:00.", is_final_answer=False, observation="The lock opens at 06:00.",
      tool_call={"name": "search", "arguments": {"query": "lock Millport"}, "id": "call_2"})
event("ActionOutput", output=None, is_final_answer=False)
step(2, call, "The lock opens at 06:00.", "I look up the lock.")

ANSWER = {"title": "When to leave", "content": "Leave at **06:12**, with the ebb.", "sources": ["https://tides.example/millport"]}
call = {"id": "call_3", "type": "function", "function": {"name": "final_answer", "arguments": {"answer": ANSWER}}}
event("function", id="call_3", function=call["function"])
event("ToolOutput", id="call_3", output=ANSWER, is_final_answer=True, observation=str(ANSWER),
      tool_call={"name": "final_answer", "arguments": {"answer": ANSWER}, "id": "call_3"})
event("ActionOutput", output=ANSWER, is_final_answer=True)
step(3, call, str(ANSWER), "", True)
event("FinalAnswerStep", output=ANSWER)
`
