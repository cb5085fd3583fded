"""A producer elsewhere: prints its stream, which a pipe sends on, and follows what is asked of its run."""
import json
import sys
import urllib.request

url, token, run_id = sys.argv[1:4]


def say(**record):
    print(json.dumps(record), flush=True)


def commands():
    """Yields each command, once the run exists."""
    request = urllib.request.Request(f"{url}/api/runs/{run_id}/commands", headers={"authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as stream:
        event = {}
        for line in (raw.decode().rstrip("\n") for raw in stream):
            if line == "" and "data" in event:
                yield json.loads(event["data"])
            if line == "":
                event = {}
            else:
                name, _, value = line.partition(": ")
                event[name] = value


say(type="start", messageId="m1")
say(type="tool-input-available", toolCallId="c", toolName="dig", input={})
say(type="tool-approval-request", approvalId="own", toolCallId="c")
sys.stdin.readline()
for command in commands():
    print(json.dumps(command), file=sys.stderr, flush=True)
    if command["type"] == "answer":
        say(type="tool-output-available", toolCallId="c", output=command["answer"]["state"])
    elif command["type"] == "steer":
        say(type="text-start", id=command["messageId"])
        say(type="text-delta", id=command["messageId"], delta=f"Heard: {command['text']}")
        say(type="text-end", id=command["messageId"])
    if command["type"] == "stop" or command.get("text") == "Enough.":
        break
say(type="finish")
