"""An agent of sixty lines that is green in the profile `core`. Its model is an echo, and it ignores the flags that hosts pass."""
import json
import os
import sys
import uuid

SESSION = str(uuid.uuid4())
USAGE = {"input_tokens": 1, "output_tokens": 1}
PAYLOADS = {
    "initialize": {"commands": [], "agents": [], "models": [], "account": {}, "output_style": "default", "available_output_styles": []},
    "interrupt": {"still_queued": []},
    "end_session": {},
}


def write(message):
    try:
        print(json.dumps(message), flush=True)
    except BrokenPipeError:  # The host does not read the output any more.
        sys.stdout = open(os.devnull, "w")


def say(message):
    write({**message, "uuid": str(uuid.uuid4()), "session_id": SESSION})


def serve(message):
    name = message["request"].get("subtype")
    if name in PAYLOADS:
        answer = {"subtype": "success", "response": PAYLOADS[name]}
    else:
        answer = {"subtype": "error", "error": f"The request {name} is not supported.", "error_code": "unsupported_request"}
    ids = {"request_id": message[key] for key in ("request_id", "requestId") if key in message}
    write({"type": "control_response", "response": {**answer, **ids}})


def turn(message):
    content = message["message"]["content"]
    text = content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)
    lists = {name: [] for name in ["tools", "mcp_servers", "slash_commands", "skills", "plugins"]}
    names = {"cwd": os.getcwd(), "model": "echo", "permissionMode": "default", "apiKeySource": "none", "output_style": "default"}
    say({"type": "system", "subtype": "init", "claude_code_version": "1.0.0", **names, **lists})
    reply = {"id": str(uuid.uuid4()), "type": "message", "role": "assistant", "model": "echo", "stop_reason": None, "stop_sequence": None}
    say({"type": "assistant", "parent_tool_use_id": None, "message": {**reply, "content": [{"type": "text", "text": text}], "usage": USAGE}})
    figures = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "total_cost_usd": 0, "usage": USAGE, "modelUsage": {}}
    end = {"stop_reason": "end_turn", "permission_denials": [], "user_message_uuids": [message["uuid"]] if "uuid" in message else []}
    say({"type": "result", "subtype": "success", "is_error": False, "result": text, **figures, **end})


if {"-v", "--version"} & set(sys.argv):
    sys.exit(print("1.0.0 (small agent)"))
for line in sys.stdin.buffer:
    try:
        message = json.loads(line.decode("utf-8-sig", "replace"), parse_constant=int) if line.strip() else 0
    except ValueError:
        sys.exit("A line of the input is not JSON.")
    if message is None or (isinstance(message, dict) and message.get("type") == "user" and message["message"].get("role") != "user"):
        sys.exit("A line of the input is null, or a prompt whose role is not user.")
    if isinstance(message, dict) and message.get("type") in ("control_request", "user"):
        (turn if message["type"] == "user" else serve)(message)
